import { FRANCE, GREAT_BRITAIN, IRELAND, type RegionRules } from '../../../domain/region.ts'
import { NO_NAMES, type StadiumDraft } from '../../drafts/drafts.ts'
import { wordIn } from '../reading/cells.ts'

/** Racecourses by the last three letters of their codes. */
type Courses = Readonly<Record<string, string>>

const OF_GREAT_BRITAIN: Courses = {
  AIN: 'Aintree',
  ASC: 'Ascot',
  AYR: 'Ayr',
  BAN: 'Bangor-on-Dee',
  BAT: 'Bath',
  BEV: 'Beverley',
  BRI: 'Brighton',
  CAR: 'Carlisle',
  CAT: 'Catterick',
  CHL: 'Cheltenham',
  CHM: 'Chelmsford',
  CHP: 'Chepstow',
  CHS: 'Chester',
  CTM: 'Cartmel',
  DON: 'Doncaster',
  EPS: 'Epsom',
  EXE: 'Exeter',
  FAK: 'Fakenham',
  FFO: 'Ffos Las',
  FOL: 'Folkestone',
  FON: 'Fontwell',
  GOO: 'Goodwood',
  GRL: 'Great Leighs',
  HAM: 'Hamilton',
  HAY: 'Haydock',
  HER: 'Hereford',
  HEX: 'Hexham',
  HUN: 'Huntingdon',
  KEL: 'Kelso',
  KEM: 'Kempton',
  LEI: 'Leicester',
  LIN: 'Lingfield',
  LUD: 'Ludlow',
  MAR: 'Market Rasen',
  MUS: 'Musselburgh',
  NAB: 'Newton Abbot',
  NBU: 'Newbury',
  NCS: 'Newcastle',
  NMJ: 'Newmarket (July)',
  NMK: 'Newmarket',
  NOT: 'Nottingham',
  PER: 'Perth',
  PLU: 'Plumpton',
  PON: 'Pontefract',
  RED: 'Redcar',
  RIP: 'Ripon',
  SAL: 'Salisbury',
  SAN: 'Sandown',
  SED: 'Sedgefield',
  SOU: 'Southwell',
  STR: 'Stratford',
  TAU: 'Taunton',
  THI: 'Thirsk',
  TOW: 'Towcester',
  UTT: 'Uttoxeter',
  WAR: 'Warwick',
  WET: 'Wetherby',
  WIN: 'Wincanton',
  WND: 'Windsor',
  WOL: 'Wolverhampton',
  WOR: 'Worcester',
  YAR: 'Yarmouth',
  YRK: 'York',
}

const OF_IRELAND: Courses = {
  BAL: 'Ballinrobe',
  BEL: 'Bellewstown',
  CLO: 'Clonmel',
  COR: 'Cork',
  CUR: 'Curragh',
  DPK: 'Downpatrick',
  DRO: 'Down Royal',
  DUN: 'Dundalk',
  FAI: 'Fairyhouse',
  GAL: 'Galway',
  GOW: 'Gowran Park',
  KIL: 'Kilbeggan',
  KLN: 'Killarney',
  LAY: 'Laytown',
  LEO: 'Leopardstown',
  LIM: 'Limerick',
  LIS: 'Listowel',
  NAA: 'Naas',
  NAV: 'Navan',
  PUN: 'Punchestown',
  ROS: 'Roscommon',
  SLI: 'Sligo',
  THU: 'Thurles',
  TIP: 'Tipperary',
  TLE: 'Tralee',
  TRA: 'Tramore',
  WEX: 'Wexford',
}

const OF_FRANCE: Courses = {
  AGN: 'Agen',
  AIX: 'Aix-Les-Bains',
  AMI: 'Amiens',
  ANG: 'Angers',
  ARG: 'Argentan',
  AUC: 'Auch',
  AUT: 'Auteuil',
  AVI: 'Avignon',
  BOR: 'Bordeaux Le Bouscat',
  CAG: 'Cagnes-Sur-Mer',
  CHY: 'Chantilly',
  CLF: 'Clairefontaine',
  COM: 'Compiegne',
  CRA: 'Craon',
  CRO: 'Le Croise-Laroche',
  CSA: 'Castelsarrasin',
  DAX: 'Dax',
  DEA: 'Deauville',
  DIE: 'Dieppe',
  ENG: 'Enghien',
  FTB: 'Fontainebleau',
  HYE: 'Hyeres',
  LCH: 'Longchamp',
  LDA: "Le Lion-D'Angers",
  LMA: 'Le Mans',
  LTB: 'La Teste De Buch',
  LYP: 'Lyon Parilly',
  LYS: 'Lyon-La Soie',
  MBO: 'Marseille Borely',
  MDM: 'Mont-De-Marsan',
  MLA: 'Maisons-Laffitte',
  MOR: 'Morlaix',
  MOU: 'Moulins',
  MVX: 'Marseille Vivaux',
  NAN: 'Nantes',
  NCY: 'Nancy',
  NIM: 'Nimes',
  PAU: 'Pau',
  PCH: 'Pornichet',
  PDR: 'Pompadour',
  ROY: 'Royan',
  SDO: "Les Sables-D'Olonne",
  SLN: 'Salon-De-Provence',
  SML: 'Saint-Malo',
  SNS: 'Senonnes',
  STB: 'Strasbourg',
  STC: 'Saint-Cloud',
  TOU: 'Toulouse',
  TRB: 'Tarbes',
  TRS: 'Tours',
  VIC: 'Vichy',
  VIT: 'Vittel',
  WIS: 'Wissembourg',
}

/** Names that files write otherwise. */
const ALIASES: Readonly<Record<string, string>> = {
  bangor: 'bangor-on-dee',
  'chelmsford-city': 'chelmsford',
  'epsom-downs': 'epsom',
  'fontwell-park': 'fontwell',
  'hamilton-park': 'hamilton',
  'haydock-park': 'haydock',
  'kempton-park': 'kempton',
  'la-teste': 'la-teste-de-buch',
  'lingfield-park': 'lingfield',
  parislongchamp: 'longchamp',
  'sandown-park': 'sandown',
  'the-curragh': 'curragh',
  'great-yarmouth': 'yarmouth',
}

const TABLES: readonly (readonly [RegionRules, Courses])[] = [
  [GREAT_BRITAIN, OF_GREAT_BRITAIN],
  [IRELAND, OF_IRELAND],
  [FRANCE, OF_FRANCE],
]

/** Names that the Hong Kong Jockey Club gives them; others are shown in English. */
const IN_CHINESE: Readonly<Record<string, { hant: string; hans: string }>> = {
  GBASC: { hant: '雅士谷', hans: '雅士谷' },
  GBDON: { hant: '唐加士達', hans: '唐加士达' },
  GBEPS: { hant: '葉森', hans: '叶森' },
  GBGOO: { hant: '古活', hans: '古活' },
  GBNMK: { hant: '新市場', hans: '新市场' },
  GBSAN: { hant: '沙丘園', hans: '沙丘园' },
  GBYRK: { hant: '約克', hans: '约克' },
  IECUR: { hant: '卻拉', hans: '却拉' },
  IELEO: { hant: '李奧柏城', hans: '李奥柏城' },
}

export const COURSES: readonly StadiumDraft[] = TABLES.flatMap(([{ code }, courses]) =>
  Object.entries(courses).map(([letters, en]) => ({
    ...NO_NAMES,
    ...IN_CHINESE[`${code}${letters}`],
    id: `${code}${letters}`,
    en,
  })),
)

/** Betfair calls both courses of Newmarket by one name. They never race on one day. */
export const SISTERS: ReadonlyMap<string, string> = new Map([
  ['GBNMK', 'GBNMJ'],
  ['GBNMJ', 'GBNMK'],
])

/** A name as it stands in addresses: `Kempton` and `kempton` are `kempton`, `Newmarket (July)` is `newmarket-july`. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '')

const bySlug = new Map(COURSES.map(({ id, en }) => [`${id.slice(0, 2)} ${slugOf(en!)}`, id]))

/** Short names that Betfair gave courses, where they are not the beginning of one name. */
const SHORT: Readonly<Record<string, string>> = {
  chelmc: 'chelmsford',
  epsm: 'epsom',
  extr: 'exeter',
  ffosl: 'ffos-las',
  mrktr: 'market-rasen',
  newm: 'newmarket',
  sthl: 'southwell',
}
const FEWEST_LETTERS = 3

/** The code of a racecourse by its name, or by a short one (`Wolv`, `Sthl`) that can be no other course of the region. */
export function courseAbbreviated(name: string, regionCode: string): string | undefined {
  const slug = slugOf(name)
  const known = courseNamed(wordIn(SHORT, slug) ?? slug, regionCode)
  if (known !== undefined || slug.length < FEWEST_LETTERS) return known
  const begun = [...bySlug].filter(([key]) => key.startsWith(`${regionCode} ${slug}`))
  return begun.length === 1 ? begun[0]![1] : undefined
}

/** The code of a racecourse by its name or the end of its address, and its region's code. */
export function courseNamed(name: string, regionCode: string): string | undefined {
  const slug = slugOf(name)
  return bySlug.get(`${regionCode} ${ALIASES[slug] ?? slug}`)
}
