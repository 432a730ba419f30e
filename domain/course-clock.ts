import { regionOfStadium, HONG_KONG } from './region.ts'

/**
 * Racecourses whose clocks differ from those of their region, by what follows the region's code in their ids. By the IANA time
 * zone database; Canadian courses are among those of the United States, with whose charts they are published.
 */
const ELSEWHERE: readonly (readonly [region: string, timeZone: string, courses: string])[] = [
  [
    'AU',
    'Australia/Perth',
    'ALB ASC BEL BRO BUN CAR CLL DER DNG ESP GER KAL KUN LAH MOB NAO NOR PIN PNJ POH ROE TOO YOR',
  ],
  ['AU', 'Australia/Adelaide', 'BAL BOR CLA GAW KAI MRP MOG MUB NAR OAK PEN POA POL POP ROD STR'],
  ['AU', 'Australia/Darwin', 'ALS DAR KAT PIP TEC'],
  [
    'AU',
    'Australia/Brisbane',
    'ATH BEA BOW BUD CAI CHA CHI CLO DAL DOO EAF EME ESK GAT GLA GOC GOO GYM HOH INN IPS KIL LNG MAC MAR MOR MOI NAN ROC ROM SUC THA TWM TOW WRW YEP',
  ],
  ['US', 'America/Denver', 'ALB ARP CTD LBG NPX RUI SRP SUN WYO ZIA'],
  [
    'US',
    'America/Chicago',
    'APX ASD ATO BCF CBY CLS DED ELP EVD FGX FMT FON FPK FTP HAW HOU KDX LAD LNN LSX OPX PRM RET RPX WRD',
  ],
  ['US', 'America/Puerto_Rico', 'CMR'],
  ['US', 'America/Los_Angeles', 'DMR EMD FER FNO FPX GGX GRP HST LAX LRC PLN PMX SAC SAX SOL SRX STK'],
  ['US', 'America/Regina', 'MDX'],
  ['US', 'America/Phoenix', 'RIL TUP YAV'],
]

/** Letters of a racecourse's id. */
const LETTERS = 5

/** Time zones by racecourse, of those that are not in their region's. */
export const OTHER_CLOCKS: ReadonlyMap<string, string> = new Map(
  ELSEWHERE.flatMap(([region, timeZone, courses]) =>
    courses.split(' ').map((course) => [`${region}${course}`, timeZone] as const),
  ),
)

/** Whether the clocks of a racecourse are not those of its region; by its id or that of one of its races. */
export const hasOwnClock = (id: string): boolean => OTHER_CLOCKS.has(id.slice(0, LETTERS))

/**
 * The time zone of a racecourse, by its id or that of one of its races; Hong Kong's if no region has it.
 *
 * ```ts
 * clockOfCourse('AUASC2026010401') // => 'Australia/Perth'
 * ```
 */
export const clockOfCourse = (id: string): string =>
  OTHER_CLOCKS.get(id.slice(0, LETTERS)) ?? (regionOfStadium(id) ?? HONG_KONG).timeZone
