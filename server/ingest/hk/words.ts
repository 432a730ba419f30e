import type { GameplayClass } from '../../../domain/gameplay.ts'

/** The words of one language in which results and dividends of Hong Kong are published, and our terms for them. */
export interface HkWords {
  venues: Readonly<Record<string, string>>
  goings: Readonly<Record<string, string>>
  raceClasses: Readonly<Record<string, string>>
  /** Pools that are gameplay classes here. TCE is in order, TRI is not (domain notes, trap 1). */
  pools: Readonly<Record<string, GameplayClass>>
  /** The doubles of a meeting are numbered: the first double is on its first two races. */
  double: RegExp
  allWeather: string
  /** The rail of a turf course is its first group. */
  turfCourse: RegExp
  /** A place, and in its second group what marks a dead heat. */
  place: RegExp
  refund: string
  /** Published without a figure: not won, or "see details". */
  noFigure: ReadonlySet<string>
}

const GOINGS: Readonly<Record<string, string>> = {
  快地: 'firm',
  好地至快地: 'good_to_firm',
  好地: 'good',
  好地至黏地: 'good_to_yielding',
  黏地: 'yielding',
  黏地至軟地: 'yielding_to_soft',
  軟地: 'soft',
  大爛地: 'heavy',
  慢地: 'awt_slow',
  濕快地: 'wet_fast',
  濕慢地: 'wet_slow',
  封地: 'sealed',
}

/** The abbreviated goings of `form.csv`: 好地至快地 is 好/快. */
export const SHORT_GOINGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(GOINGS).map(([word, going]) => [word.replace('至', '/').replaceAll('地', ''), going]),
)

const RACE_CLASSES: Readonly<Record<string, string>> = {
  第一班: 'C1',
  第二班: 'C2',
  第三班: 'C3',
  第四班: 'C4',
  第五班: 'C5',
  '第三班（條件限制）': 'C3R',
  '第四班（條件限制）': 'C4R',
  香港三級賽: 'HKG3',
}

/** Classes of `form.csv`: `4` is Class 4; `G1` and the others are kept unchanged. */
export function formClass(cell: string | null): string | null {
  return cell !== null && /^\d[A-Z]?$/.test(cell) ? `C${cell}` : cell
}

export const CHINESE: HkWords = {
  venues: {
    沙田: 'HKSHT',
    跑馬地: 'HKHAV',
    沙田全天候: 'HKSHT',
    從化: 'HKCON',
    '從化草地"A"': 'HKCON',
  },
  goings: GOINGS,
  raceClasses: RACE_CLASSES,
  pools: {
    獨贏: 1,
    位置: 2,
    連贏: 3,
    位置Q: 4,
    二重彩: 5,
    單T: 6,
    三重彩: 7,
    四連環: 8,
    四重彩: 9,
  },
  double: /^第.{1,2}口孖寶$/,
  allWeather: '全天候跑道',
  turfCourse: /^草地 - "(.+)" 賽道$/,
  place: /^(0?[1-9]|[1-9]\d)( 平頭馬)?$/,
  refund: '退款',
  noFigure: new Set(['未能勝出', '詳情']),
}

export const ENGLISH: HkWords = {
  venues: { ST: 'HKSHT', HV: 'HKHAV', 'Sha Tin': 'HKSHT', 'Happy Valley': 'HKHAV' },
  goings: {
    FIRM: 'firm',
    FAST: 'firm',
    'GOOD TO FIRM': 'good_to_firm',
    GOOD: 'good',
    'GOOD TO YIELDING': 'good_to_yielding',
    YIELDING: 'yielding',
    'YIELDING TO SOFT': 'yielding_to_soft',
    SOFT: 'soft',
    HEAVY: 'heavy',
    SLOW: 'awt_slow',
    'WET FAST': 'wet_fast',
    'WET SLOW': 'wet_slow',
    SEALED: 'sealed',
  },
  raceClasses: {
    ...Object.fromEntries(
      ['1', '2', '3', '4', '5'].flatMap((no) => [
        [no, `C${no}`],
        [`Class ${no}`, `C${no}`],
      ]),
    ),
    'Class 3 (Restricted)': 'C3R',
    'Class 4 (Restricted)': 'C4R',
    'Class 3 (Special Condition)': 'C3S',
    'Class 4 (Special Condition)': 'C4S',
    'Restricted Race': 'R',
    'Group One': 'G1',
    'Group Two': 'G2',
    'Group Three': 'G3',
    'Hong Kong Group One': 'HKG1',
    'Hong Kong Group Two': 'HKG2',
    'Hong Kong Group Three': 'HKG3',
    Griffin: 'GRIFFIN',
    'Griffin Race': 'GRIFFIN',
    '4 Year Olds': '4YO',
  },
  pools: {
    WIN: 1,
    PLACE: 2,
    QUINELLA: 3,
    'QUINELLA PLACE': 4,
    FORECAST: 5,
    TRIO: 6,
    TIERCE: 7,
    'FIRST 4': 8,
    QUARTET: 9,
  },
  double: /^\d{1,2}(?:ST|ND|RD|TH) DOUBLE$/,
  allWeather: 'ALL WEATHER TRACK',
  turfCourse: /^TURF - "(.+)" COURSE$/i,
  place: /^(0?[1-9]|[1-9]\d)( DH)?$/,
  refund: 'REFUND',
  noFigure: new Set(['NOT WIN', 'NOT WON', 'Details']),
}

/** Codes of margins that the Chinese results write otherwise: on English pages `N` is a neck. */
export const ENGLISH_MARGINS: Readonly<Record<string, string>> = { N: 'NK', NOSE: 'N' }

export const ORIGINS: Readonly<Record<string, string>> = {
  澳洲: 'AU',
  紐西蘭: 'NZ',
  愛爾蘭: 'IE',
  英國: 'GB',
  法國: 'FR',
  日本: 'JP',
  美國: 'US',
  南非: 'ZA',
  德國: 'DE',
  巴西: 'BR',
  阿根廷: 'AR',
  意大利: 'IT',
  智利: 'CL',
  西班牙: 'ES',
  加拿大: 'CA',
}

export const IMPORT_TYPES: Readonly<Record<string, string>> = {
  自購新馬: 'ppg',
  自購馬: 'pp',
  國際拍賣會新馬: 'isg',
  訪港馬匹: 'visiting',
}

export const SEXES: Readonly<Record<string, string>> = {
  閹: 'gelding',
  雄: 'horse',
  雌: 'mare',
  隱睪: 'rig',
}

export const COLOURS: Readonly<Record<string, string>> = {
  棗: 'bay',
  深棗: 'dark_bay',
  '棗／棕': 'bay_brown',
  '深棗／棕': 'bay_brown',
  棕: 'brown',
  栗: 'chestnut',
  灰: 'grey',
  '棕／灰': 'grey',
  '棗／灰': 'grey',
  '灰／沙': 'grey',
  沙: 'roan',
  黑: 'black',
}
