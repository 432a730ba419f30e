import type { Horse, HorsePage } from '../../../contract/api/horse.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { joinOrigin } from './lock-store.ts'
import type { ModelChoice } from '../../model/headline.ts'
import { anywhere, first, firstValue, isAny, type Queries } from '../../db/database.ts'
import type { Language } from '../../../domain/languages.ts'
import { LATE_MIN } from '../../../domain/odds-replay.ts'
import { bearerOf, bearerPeriods, FORM_OF_BEARERS } from './form-store.ts'
import { oddsBefore } from './odds-store.ts'
import { IS_PREDICTED, localTime, nameIn, nameLanguageIn, withShownNumber } from './schedule.ts'
import { simplifiedName } from './simplified-name.ts'

/** The facts that decide who may see a race's predictions. */
export interface RacePlace {
  id: string
  regionId: string
  date: string
  status: 'scheduled' | 'final' | 'abandoned'
  /** The region's last day with results; the race's own day before the first one. */
  lastRaceDay: string
  /** Position among the region's races of the day, from 1, by start time. */
  position: number
}

/** SQL for the last day with results of a race's region. */
export const LAST_RACE_DAY = `coalesce((select max(past.race_date) from race as past
  where past.region_id = race.region_id and past.status = 'final'), race.race_date)`

/** The last day with results of a region or, with `null`, of any; `null` before the first one. */
export const readLastRaceDay = (queries: Queries, regionId: string | null): Promise<string | null> =>
  firstValue(
    queries,
    `select max(race_date) as day from race where status = 'final' and ($1::text is null or region_id = $1)`,
    [regionId],
  )

/** SQL for a race's position among its region's races of the day. */
export const DAY_POSITION = `(select count(*) from race as earlier
  where earlier.region_id = race.region_id and earlier.race_date = race.race_date
    and (coalesce(earlier.starts_at, 'infinity'), earlier.stadium_id, earlier.race_no)
      <= (coalesce(race.starts_at, 'infinity'), race.stadium_id, race.race_no))`

export const readRacePlace = (queries: Queries, raceId: string): Promise<RacePlace | null> =>
  first(
    queries,
    `select race.id, race.region_id, race_date as date, race.status,
       ${LAST_RACE_DAY} as last_race_day, ${DAY_POSITION} as position
     from race where race.id = $1`,
    [raceId],
  )

/** The region of a race; `null` if there is no such race. */
export const readRaceRegion = (queries: Queries, raceId: string): Promise<string | null> =>
  firstValue(queries, 'select region_id as region from race where id = $1', [raceId])

export async function hasRace({ rows }: Queries, raceId: string): Promise<boolean> {
  return (await rows('select 1 from race where id = $1', [raceId])).length > 0
}

/** Whether a model predicted a race; `false` if there is no such race. */
export const isPredicted = (queries: Queries, raceId: string): Promise<boolean> =>
  isAny(queries, `select 1 from race where id = $1 and ${IS_PREDICTED}`, [raceId])

export const readTimeZone = (queries: Queries, regionId: string): Promise<string | null> =>
  firstValue(queries, 'select time_zone as zone from region where id = $1', [regionId])

/** A race as `queryRaceInfo` tells it, without what depends on the viewer. */
export type RaceFacts = Omit<RaceInfo, 'isAnalyzer' | 'isSubscribe' | 'tips'>

export const readRace = (queries: Queries, raceId: string, language: Language): Promise<RaceFacts | null> =>
  first(
    queries,
    `select race.id as race_id, ${nameIn(language, 'race')} as name, ${nameLanguageIn(language, 'race')} as name_language,
       race.region_id as country_region_id,
       ${nameIn(language, 'region')} as country_region_name,
       coalesce(${nameIn(language, 'stadium')}, stadium.id) as stadium_name, race_date as date,
       starts_at as competition_date, ${localTime()} as time, weather, race_no as race_number,
       distance_m as distance, track as track_type, course, going as track_condition, race_class,
       rating_range as rating, declared_starters as starters, race.status, numbers_by_name, race.amended,
       headline_model,
       coalesce((select jsonb_agg(jsonb_build_object('model', model.id, 'origin', coalesce(origin_of.origin, 'backtest'))
           order by model.key)
         from model ${joinOrigin('race.id', 'model.id')}
         where exists (select 1 from win_chance where race_id = race.id and model_id = model.id)), '[]') as models
     from race join stadium on stadium.id = race.stadium_id join region on region.id = race.region_id
     where race.id = $1`,
    [raceId],
  )

/** A runner as `queryRaceCompetitor` tells it, without what its race says. */
export type RunnerFacts = Omit<
  Competitor,
  | 'name'
  | 'isAnalyzer'
  | 'margin'
  | 'weather'
  | 'raceNumber'
  | 'distance'
  | 'trackType'
  | 'trackCondition'
  | 'raceClass'
>

/**
 * SQL for what is added to a date so that a horse has its birthday where the year begins: horses of the southern hemisphere have
 * it on 1 August, those of the northern on 1 January.
 */
const TO_NEW_YEAR = `case when horse.origin in ('AR', 'AU', 'BR', 'CL', 'NZ', 'PE', 'UY', 'ZA')
  then interval '5 months' else interval '0' end`

/** SQL for the age of its profile, less the birthdays since. */
const RECKONED = `(horse.age - extract(year from horse.age_on + ${TO_NEW_YEAR}) + extract(year from race.race_date + ${TO_NEW_YEAR}))`

/**
 * SQL for the age of `horse` on the day of `race`: what the source told of `runner`, or else what follows from its profile. NULL
 * without either, and without the country that says when its birthday is.
 */
export const AGE_ON_RACE_DAY = `coalesce(runner.age,
  case when horse.origin ~ '^[A-Z]{2}$' and ${RECKONED} > 0 then ${RECKONED}::smallint end)`

/** SQL for its sex on that day, or else that of its profile: it may have been gelded in between. */
const SEX_ON_RACE_DAY = 'coalesce(runner.sex, horse.sex)'

/** A card shows this many earlier runs of a horse. */
const LAST_RUNS = 6

/** Runners of a race with their win probabilities, which the caller must filter through the gate. */
export const readRunners = (
  { rows }: Queries,
  raceId: string,
  model: ModelChoice,
  language: Language,
  now: Date,
): Promise<RunnerFacts[]> =>
  rows(
    `select horse.id as horse_id, runner.horse_no as horse_number, coalesce(${nameIn(language, 'horse')}, horse.brand) as horse_name,
       ${nameLanguageIn(language, 'horse')} as name_language,
       coalesce(horse.name_hant, horse.name_hans) as horse_name_cn, draw, rating as rating_score,
       jockey_id, ${nameIn(language, 'jockey')} as jockey, ${nameLanguageIn(language, 'jockey')} as jockey_language,
       trainer_id, ${nameIn(language, 'trainer')} as trainer, ${nameLanguageIn(language, 'trainer')} as trainer_language, margin as finish_length, finish_time_ms,
       actual_weight_lb as actual_weight, running_position,
       declared_weight_lb as declared_weight, ${AGE_ON_RACE_DAY} as age, ${SEX_ON_RACE_DAY} as sex, gear, coalesce((select jsonb_agg(run.place order by run.race_date desc)
         from (select coalesce(before.place::text, before.place_code, '') as place, earlier.race_date
           from runner before join race earlier on earlier.id = before.race_id
           where before.horse_id = runner.horse_id and earlier.status = 'final' and before.status <> 'withdrawn'
             and earlier.race_date < race.race_date
           order by earlier.race_date desc limit ${LAST_RUNS}) run), '[]') as last_runs,
       coalesce(place::text, place_code, '') as ranking, win_odds as odds,
       (select tick.odds from odds_tick tick where tick.race_id = runner.race_id
          and tick.horse_no = coalesce(entry_no, runner.horse_no) order by tick.seen_at limit 1) as opening_odds,
       ${oddsBefore(LATE_MIN, '$3')} as ten_minute_odds,
       runner.status, silks, entry_no as entry_number, coalesce(c.probability, prediction.probability) as probability,
       prediction.rank as predicted_rank
     from runner join horse on horse.id = runner.horse_id
     left join jockey on jockey.id = runner.jockey_id left join trainer on trainer.id = runner.trainer_id
     join race on race.id = runner.race_id
     left join prediction on prediction.race_id = runner.race_id
       and prediction.model_id = coalesce($2::text, race.headline_model) and prediction.gameplay_class = 1
       and prediction.combination = coalesce(entry_no, horse_no)::text and runner.status <> 'withdrawn'
     left join win_chance c on c.race_id = runner.race_id and c.model_id = coalesce($2::text, race.headline_model)
       and c.horse_no = coalesce(entry_no, runner.horse_no) and runner.status <> 'withdrawn'
     where runner.race_id = $1 order by runner.horse_no nulls last, horse.id`,
    [raceId, model, now],
  )

type HorseLine = HorsePage['records'][number]

const horseLine = (language: Language, sex = 'horse.sex'): string =>
  `horse.id, horse.brand as number, coalesce(${nameIn(language, 'horse')}, horse.brand) as name,
   ${nameLanguageIn(language, 'horse')} as name_language, horse.name_en, ${nameIn(language, 'region')} as country_region, ${sex} as sex, colour, horse.status,
   last_rating, birth_year`

/** Before the last race day; all runs of ten seasons took a tenth of a second. */
const RECENT_DAYS = 200

/**
 * Horses whose names or brand contain a text: first those that ran last or are declared to run, the highest rated of a day
 * first, then those without a recent run.
 */
export async function listHorses(
  { rows }: Queries,
  filter: { regionId: string | null; text: string | null; limit: number; offset: number },
  language: Language,
): Promise<{ records: HorseLine[]; total: number }> {
  const where = `($1::text is null or horse.region_id = $1) and ($2::text is null
    or concat_ws(' ', horse.name_en, horse.name_hant, horse.name_hans, horse.brand) ilike $2)`
  const text = filter.text === null ? null : anywhere(filter.text)
  const records = await rows<HorseLine>(
    `select ${horseLine(language)} from horse join region on region.id = horse.region_id
     left join (select horse_id, max(race_date) as day from race join runner on runner.race_id = race.id
       where ($1::text is null or race.region_id = $1) and race_date > (select max(race_date) from race
         where $1::text is null or region_id = $1) - ${RECENT_DAYS} group by horse_id) last on last.horse_id = horse.id
     where ${where} order by last.day desc nulls last, last_rating desc nulls last, horse.key desc limit $3 offset $4`,
    [filter.regionId, text, filter.limit, filter.offset],
  )
  const [count] = await rows<{ total: number }>(`select count(*) as total from horse where ${where}`, [
    filter.regionId,
    text,
  ])
  return { records: records.map(withShownNumber), total: count!.total }
}

type HorseFacts = Omit<Horse, 'seasonPrize' | 'totalPrize' | 'form'> & {
  seasonPrizeCents: number | null
  totalPrizeCents: number | null
}

/**
 * A horse; names of people and pedigree, of which files have one each, in the characters of the language. Without a profile, its
 * sex, age and owner are those of its last run.
 */
export async function readHorse(
  queries: Queries,
  id: string,
  language: Language,
): Promise<HorseFacts | null> {
  const found = await first<HorseFacts>(
    queries,
    `select ${horseLine(language, 'coalesce(horse.sex, told.sex)')}, coalesce(horse.age, told.age) as age,
       case when horse.age is null then told.age_on else horse.age_on end as age_on, import_type,
       coalesce(horse.owner, told.owner) as owner, sire, dam, dam_sire as maternal_grandsire,
       season_prize_cents, total_prize_cents,
       (select round(avg(rating), 1) from runner where horse_id = horse.id and rating is not null) as average_rating,
       last_trainer.name as trainer, last_trainer.language as trainer_language,
       (select silks from runner join race on race.id = runner.race_id where horse_id = horse.id and silks is not null
        order by race_date desc, race.id desc limit 1) as silks
     from horse join region on region.id = horse.region_id
     left join lateral (select ${nameIn(language, 'trainer')} as name, ${nameLanguageIn(language, 'trainer')} as language
       from runner join race on race.id = runner.race_id join trainer on trainer.id = runner.trainer_id
       where horse_id = horse.id order by race_date desc, race.id desc limit 1) last_trainer on true
     left join lateral (select runner.sex, runner.owner, runner.age, case when runner.age is not null then race_date end as age_on
       from runner join race on race.id = runner.race_id
       where horse_id = horse.id and coalesce(runner.age::text, runner.sex, runner.owner) is not null
       order by race_date desc, race.id desc limit 1) told on true
     where horse.id = $1`,
    [id],
  )
  const horse = found && withShownNumber(found)
  if (horse === null || language !== 'zh-Hans') return horse
  const { owner, sire, dam, maternalGrandsire } = horse
  const simplified = (name: string | null): string | null => name && simplifiedName(name)
  return {
    ...horse,
    owner: simplified(owner),
    sire: simplified(sire),
    dam: simplified(dam),
    maternalGrandsire: simplified(maternalGrandsire),
  }
}

/** A horse's runs, newest first: stored races, and runs found only in the horse's own form record (`bearerPeriods`). */
export const listForm = (
  { rows }: Queries,
  horseId: string,
  language: Language,
  limit: number,
): Promise<Horse['form']> =>
  rows(
    `with ${bearerPeriods('(h.region_id, h.brand) = (select region_id, brand from horse where id = $1)')}
     select race.id as race_id, race_date as date, ${nameIn(language, 'stadium')} as stadium_name,
       coalesce(place::text, place_code) as place, distance_m, going, race_class, draw,
       rating, actual_weight_lb, margin, finish_time_ms, win_odds as odds,
       runner.status <> 'withdrawn' as started, ${nameIn(language, 'jockey')} as jockey_name,
       ${nameLanguageIn(language, 'jockey')} as jockey_language
     from runner join race on race.id = runner.race_id join stadium on stadium.id = race.stadium_id
     left join jockey on jockey.id = runner.jockey_id
     where runner.horse_id = $1 and race.status = 'final'
     union all
     select null, f.race_date, ${nameIn(language, 'stadium')}, place_code, distance_m, going, race_class, draw, rating,
       actual_weight_lb, margin, finish_time_ms, win_odds, place_code is null or place_code not like 'W%',
       coalesce(${nameIn(language, 'jockey')}, f.jockey), ${nameLanguageIn(language, 'jockey')}
     from horse join (${FORM_OF_BEARERS}) on f.region_id = horse.region_id and f.brand = horse.brand
     left join stadium on stadium.id = f.stadium_id
     left join jockey on jockey.id = split_part(horse.id, '-', 1) || '-' || f.jockey
     where horse.id = $1 and ${bearerOf(`split_part(horse.id, '-', 1)`)} = horse.id and not exists (select 1 from runner join race on race.id = runner.race_id
       where runner.horse_id = $1 and race.race_date = f.race_date)
     order by 2 desc limit $2`,
    [horseId, limit],
  )

/** Places and saddle numbers of a race, in finishing order. */
export const readPlaces = (
  { rows }: Queries,
  raceId: string,
): Promise<{ place: number; horseNumber: number }[]> =>
  rows(
    `select place, horse_no as horse_number from runner
     where race_id = $1 and place is not null and horse_no is not null order by place, horse_no`,
    [raceId],
  )

/** The newest odds of each runner of a race, up to `now`. */
export const readNewestOdds = (
  { rows }: Queries,
  raceId: string,
  now: Date,
): Promise<{ horseNumber: number; odds: number; createTime: string }[]> =>
  rows(
    `select distinct on (horse_no) horse_no as horse_number, odds, seen_at as create_time from odds_tick
     where race_id = $1 and seen_at <= $2 order by horse_no, seen_at desc`,
    [raceId, now],
  )
