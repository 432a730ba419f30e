import type { Queries } from '../../../db/database.ts'

/**
 * What the earlier runs of a horse tell about a race that it starts in. Only runs of days before the race count, so that
 * nothing here depends on the race's own day. `null` where there is no such run, or a fact of it is unknown.
 */
export interface EarlierRuns {
  daysSinceRun: number | null
  careerRuns: number
  careerWins: number
  /** Places of its last run and of the one before. */
  lastPlace: number | null
  placeBeforeLast: number | null
  /** The published distance behind the winner of its last run: a margin, or `null` for the winner itself. */
  lastMargin: string | null
  lastDistanceM: number | null
  lastClass: string | null
  /** 1: in a higher class than at its last run, −1: in a lower one, 0: in the same. */
  classMove: number | null
  /** Against its last run, in metres, rating points and pounds. */
  distanceChangeM: number | null
  ratingChange: number | null
  weightChangeLb: number | null
  bodyWeightChangeLb: number | null
  jockeyChange: boolean | null
  racecourseChange: boolean | null
  surfaceChange: boolean | null
  /** Earlier runs of the horse under the same jockey. */
  ridesTogether: number | null
  /** 1: its first run after `BREAK_DAYS` days or more, or ever; 2: the run after that, and so on. */
  runAfterBreak: number
  /** Earlier wins on the racecourse and surface, at the distance, and on the going of the race. */
  courseWins: number | null
  distanceWins: number | null
  goingWins: number | null
  /** Mean position at the first call of its last four runs, of those with calls: 0 in front, 1 behind all others. */
  earlyPosition: number | null
  /** Horses of the field whose mean position is in the first quarter. */
  leaders: number
}

/** Of a starter whose horse is not known. */
export const NO_EARLIER_RUNS: { readonly [Fact in keyof EarlierRuns]: null } = {
  daysSinceRun: null,
  careerRuns: null,
  careerWins: null,
  lastPlace: null,
  placeBeforeLast: null,
  lastMargin: null,
  lastDistanceM: null,
  lastClass: null,
  classMove: null,
  distanceChangeM: null,
  ratingChange: null,
  weightChangeLb: null,
  bodyWeightChangeLb: null,
  jockeyChange: null,
  racecourseChange: null,
  surfaceChange: null,
  ridesTogether: null,
  runAfterBreak: null,
  courseWins: null,
  distanceWins: null,
  goingWins: null,
  earlyPosition: null,
  leaders: null,
}

/** Days without a run after which a horse's runs are counted anew. */
const BREAK_DAYS = 60
/** Position, relative to the field, of a horse that usually leads: `LEADER` of `server/model/features`. */
const LEADER = 0.25

/** Classes by their rank, 0 for group races; NULL for a class that is in no such order. */
const CLASS_RANK = `case when race_class ~ '^C[1-9]' then substr(race_class, 2, 1)::int when race_class ~ '^GR?[1-3]' then 0 end`
const FIRST_CALL = `nullif(split_part(trim(running_position), ' ', 1), '')`
/** Position at the first call relative to the field: 0 in front, 1 behind all others. */
const EARLY = `case when ${FIRST_CALL} ~ '^[1-9][0-9]?$' and field.starters > 1
  then least(1, (${FIRST_CALL}::float8 - 1) / (field.starters - 1)) end`
const ORDER = 'order by race_date, race_id'

/** Earlier wins of the horse in races with the same values; NULL where this race lacks one of them. */
const winsAt = (...columns: readonly string[]): string =>
  `case when num_nulls(${columns.join(', ')}) = 0 then coalesce(sum((place = 1)::int) over (
     partition by horse_id, ${columns.join(', ')} ${ORDER} rows between unbounded preceding and 1 preceding), 0)::int end`
/** The change of a number since the run before. */
const since = (value: string): string => `(${value} - lag(${value}) over w)::int`
/** Whether something differs from the run before; NULL where one of both is unknown. */
const differs = (value: string): string => `${value} <> lag(${value}) over w`

/** Key of a horse in a race. */
export const earlierKey = (raceKey: number, horseKey: number | null): string => `${raceKey} ${horseKey}`

/** The earlier runs of the starters of the matching races, by `earlierKey`. A horse runs at most once a day. */
export async function readEarlierRuns(
  { rows }: Queries,
  regionId: string,
  condition: string,
  value: string | number,
): Promise<Map<string, EarlierRuns>> {
  const found = await rows<EarlierRuns & { id: string }>(
    `with field as (
       select race_id, count(*) as starters from runner
       where horse_no is not null and status <> 'withdrawn' group by race_id
     ), ran as (
       select runner.race_id, runner.horse_id, jockey_id, stadium_id, race_date, track, going, distance_m, race_class,
         ${CLASS_RANK} as class_rank, place, margin, rating, actual_weight_lb, declared_weight_lb, ${EARLY} as early,
         race_date - lag(race_date) over (partition by runner.horse_id order by race_date, runner.race_id) as days,
         ${condition} as is_asked
       from runner join race on race.id = runner.race_id join field on field.race_id = race.id
       where race.region_id = $1 and (race.status = 'final' or (${condition})) and runner.horse_no is not null
         and runner.status <> 'withdrawn' and runner.horse_id in (
           select chosen.horse_id from runner chosen join race on race.id = chosen.race_id
           where race.region_id = $1 and ${condition})
     ), told as (
       select ran.*, (row_number() over w - 1)::int as career_runs,
         coalesce(sum((place = 1)::int) over (w rows between unbounded preceding and 1 preceding), 0)::int as career_wins,
         lag(place) over w as last_place, lag(place, 2) over w as place_before_last,
         lag(margin) over w as last_margin,
         lag(distance_m) over w as last_distance_m, lag(race_class) over w as last_class,
         sign(lag(class_rank) over w - class_rank)::int as class_move, ${since('distance_m')} as distance_change_m,
         ${since('rating')} as rating_change, ${since('actual_weight_lb')} as weight_change_lb,
         ${since('declared_weight_lb')} as body_weight_change_lb, ${differs('jockey_id')} as jockey_change,
         ${differs('stadium_id')} as racecourse_change, ${differs('track')} as surface_change,
         case when jockey_id is not null
           then (row_number() over (partition by horse_id, jockey_id ${ORDER}) - 1)::int end as rides_together,
         sum(case when days < ${BREAK_DAYS} then 0 else 1 end) over w as spell,
         ${winsAt('stadium_id', 'track')} as course_wins, ${winsAt('distance_m')} as distance_wins,
         ${winsAt('going')} as going_wins,
         avg(early) over (w rows between 4 preceding and 1 preceding) as early_position
       from ran window w as (partition by horse_id ${ORDER})
     )
     select race.key || ' ' || horse.key as id, days as days_since_run, career_runs, career_wins, last_place,
       place_before_last, last_margin, last_distance_m, last_class, class_move, distance_change_m, rating_change, weight_change_lb,
       body_weight_change_lb, jockey_change, racecourse_change, surface_change, rides_together, run_after_break,
       course_wins, distance_wins, going_wins, early_position, leaders
     from (
       select told.*, (row_number() over (partition by horse_id, spell ${ORDER}))::int as run_after_break,
         (count(*) filter (where early_position < ${LEADER}) over (partition by race_id))::int as leaders
       from told
     ) as told
     join race on race.id = told.race_id join horse on horse.id = told.horse_id
     where is_asked`,
    [regionId, value],
  )
  return new Map(found.map(({ id, ...runs }) => [id, runs]))
}
