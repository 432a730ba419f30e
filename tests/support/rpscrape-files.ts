import type { TestDatabase } from './databases.ts'

/** Today's header of `rpscrape`. */
export const PRESENT =
  'date,region,course,off,race_name,type,class,pattern,rating_band,age_band,sex_rest,dist,dist_f,dist_m,going,ran,num,pos,draw,ovr_btn,btn,horse,age,sex,lbs,hg,time,secs,dec,jockey,trainer,prize,or,rpr,sire,dam,damsire,owner,comment'

const RACE = {
  date: '2024-06-15',
  region: 'GB',
  course: 'York',
  off: '2:15',
  name: 'Made-up Brewery Stakes',
  type: 'Flat',
  raceClass: 'Class 4',
  pattern: '',
  band: '0-85',
  dist: '6f',
  metres: '1207',
  going: 'Good',
  ran: 5,
}
type Written = Partial<typeof RACE>

const RUNNER = {
  age: '4',
  sex: 'G',
  lbs: '128',
  hg: '',
  time: '1:10.91',
  dec: '5.00',
  prize: '',
  or: '80',
  behind: '0',
  sire: 'Some Sire (IRE)',
  dam: 'Some Dam GB',
}
export type Runner = Partial<typeof RUNNER & { no: string; pos: string; draw: string; horse: string }>

/** A made-up runner in today's layout. */
export function row(of: Written, given: Runner): string {
  const { no = '1' } = given
  const race = { ...RACE, ...of }
  const runner = { ...RUNNER, pos: no, draw: no, horse: `Tin Kettle ${no} (IRE)`, ...given }
  const { date, region, course, off, name, type, raceClass, pattern, band, dist, metres, going, ran } = race
  const { pos, draw, behind, horse, age, sex, lbs, hg, time, dec, prize, or, sire, dam } = runner
  return `${date},${region},${course},${off},${name},${type},${raceClass},${pattern},${band},3yo+,,${dist},${dist},${metres},${going},${ran},${no},${pos},${draw},${behind},${behind},${horse},${age},${sex},${lbs},${hg},${time},70.91,${dec},A Rider,B Trainer,${prize},${or},101,${sire},${dam},Another,An Owner,`
}

/** Runners 1 to `ran`, placed in this order. */
export const race = (of: Written = {}, runners: readonly Runner[] = []): string[] =>
  Array.from({ length: of.ran ?? 5 }, (_, at) =>
    row(of, {
      no: String(at + 1),
      behind: String(at),
      time: `1:${10 + at}.91`,
      dec: `${at + 2}.50`,
      horse: `${of.course ?? 'York'} ${of.off ?? '2:15'} ${at + 1} (IRE)`
        .replaceAll(/[()]/g, '')
        .replace(/ IRE$/, ' (IRE)'),
      ...runners[at],
    }),
  )

/** Every stored line, as `GBYRK2024061501 win 1 2500`. */
export const dividends = (place: TestDatabase) =>
  place.database
    .rows<{ shown: string }>(
      `select race_id || ' ' || pool || ' ' || combination || ' ' || coalesce(dividend_cents::text, status) as shown
       from dividend order by race_id, combination`,
    )
    .then((rows) => rows.map(({ shown }) => shown))

/** Every stored race. */
export const races = (place: TestDatabase) =>
  place.database.rows<Record<string, unknown>>(
    `select race.id, starts_at, name_en, race_class, track, course, distance_m, going, rating_range, prize_cents,
       winning_time_ms, declared_starters, places, region_id from race order by id`,
  )
