import { HONG_KONG } from '../../../domain/region.ts'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { ModelCardAnswer } from '../../../contract/api/model.ts'
import type { RaceLookBack } from '../../model/features/race-state.ts'
import type { FeatureState } from '../../model/features/state.ts'
import { packState, unpackState } from '../../model/features/pack.ts'
import { readVersion, versionHash, versionText, type ModelVersion } from '../../model/models/model-version.ts'
import { readSetting } from '../../db/settings.ts'
import { FEATURES } from '../../model/features/catalogue.ts'
import { allValues, firstValue, isAny, type Queries } from '../../db/database.ts'
import type { Promotion } from '../../model/headline.ts'

const FEATURE_KEYS = FEATURES.map(({ key }) => key)
const pack = promisify(brotliCompress)
const unpack = promisify(brotliDecompress)
const packed = (text: string): Promise<Buffer> =>
  pack(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })

/** Newest states kept besides those of season starts: a result may be corrected a few days later. */
const RETAINED_STATES = 3

const learningName = (regionId: string): string => `learning-revision ${regionId}`

/** Number of changes whose first days are listed with the learning revision. */
const LISTED_CHANGES = 50
const EVERY_DAY = '*'

/**
 * Increments a region's learning revision: its training data changed from a day (`yyyy-mm-dd`) on, or its models did
 * (`null`).
 */
export async function bumpLearning(
  { rows }: Queries,
  regionId: string,
  fromDay: string | null,
): Promise<void> {
  const { revision, days } = parseStamp(await holdLearning({ rows }, regionId))
  const listed = [...days, fromDay ?? EVERY_DAY].slice(-LISTED_CHANGES)
  const stamp = [revision + 1, ...listed].join(' ')
  await rows('update setting set value = $2 where name = $1', [learningName(regionId), stamp])
}

/** Keeps others from incrementing a region's learning revision until the transaction ends. Returns its stamp. */
export async function holdLearning({ rows }: Queries, regionId: string): Promise<string> {
  const [row] = await rows<{ value: string }>(
    `insert into setting as s (name, value) values ($1, '0') on conflict (name) do update set value = s.value returning value`,
    [learningName(regionId)],
  )
  return row!.value
}

function parseStamp(stamp: string): { revision: number; days: string[] } {
  const [revision, ...days] = stamp.split(' ')
  return { revision: Number(revision), days }
}

/** The first day on which data changed between two learning stamps; `null` if all may have changed, or it is not known. */
export function firstChange(before: string, after: string): string | null {
  const { revision, days } = parseStamp(after)
  const changes = revision - parseStamp(before).revision
  const changed = days.slice(-changes)
  if (changes < 1 || changed.length < changes || changed.includes(EVERY_DAY)) return null
  return changed.reduce((first, day) => (day < first ? day : first))
}

/** The learning revision of a region, with the first days of its latest changes: see `firstChange`. */
export const learningStamp = async (queries: Queries, regionId: string): Promise<string> =>
  (await readSetting(queries, learningName(regionId))) ?? ''

/** Whether results that the state of a day includes have changed since it was computed. */
export const isOutdated = (queries: Queries, regionId: string, day: number): Promise<boolean> =>
  isAny(
    queries,
    `select 1 from race where region_id = $1 and status <> 'scheduled' and scoring = 'stale'
       and race_date <= date '1970-01-01' + $2::int limit 1`,
    [regionId, day],
  )

/**
 * Stores a state as of its day, unless it has no day yet. `season`: the season that begins after that day, if
 * any. `store`: runs what writes, after the state was packed.
 */
export async function saveState(
  regionId: string,
  state: FeatureState,
  season: number | null,
  store: (write: (queries: Queries) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { day } = state
  if (day === null) return
  // As text: PGlite takes half a second to write the bytes of one as a parameter.
  const content = (await packed(packState(state))).toString('hex')
  await store(async ({ rows }) => {
    await rows(
      `insert into feature_state as t (region_id, day, season, content)
       values ($1, date '1970-01-01' + $2::int, $3, decode($4, 'hex'))
       on conflict (region_id, day) do update set content = excluded.content, season = coalesce(excluded.season, t.season)`,
      [regionId, day, season, content],
    )
    await rows(
      `delete from feature_state where region_id = $1 and season is null and day not in (
         select day from feature_state where region_id = $1 and season is null order by day desc limit ${RETAINED_STATES})`,
      [regionId],
    )
  })
}

/** The newest stored state that ends before a day (`yyyy-mm-dd`); `null` if there is no usable one. */
export async function loadState(
  { rows }: Queries,
  regionId: string,
  before: string,
): Promise<FeatureState | null> {
  const [row] = await rows<{ content: Uint8Array }>(
    'select content from feature_state where region_id = $1 and day < $2::date order by day desc limit 1',
    [regionId, before],
  )
  if (!row) return null
  return unpackState((await unpack(row.content)).toString('utf8'))
}

/**
 * Deletes the states that include one of these races, or a region's form lines from a day on. Marks upcoming
 * races for scoring again, because their features depend on what changed.
 */
export async function forgetStatesOf(
  { rows }: Queries,
  raceIds: readonly string[],
  formDays: ReadonlyMap<string, string>,
): Promise<void> {
  const changed = await rows<{ regionId: string; day: string }>(
    `select region_id, min(race_date) as day from race
     where id = any($1::text[]) and status <> 'scheduled' group by region_id`,
    [raceIds],
  )
  for (const [regionId, day] of formDays) changed.push({ regionId, day })
  for (const { regionId, day } of changed) {
    await bumpLearning({ rows }, regionId, day)
    await rows('delete from feature_state where region_id = $1 and day >= $2::date', [regionId, day])
    await rows(
      `update race set scoring = 'stale' where region_id = $1 and status = 'scheduled' and race_date > $2::date
         and exists (select 1 from model_version where model_version.region_id = $1)`,
      [regionId, day],
    )
  }
}

/**
 * Deletes the models that were fitted to these races, or to a region's form lines from a day on, and the model cards, which
 * training then makes anew; what the models predicted is marked for scoring. Returns the ids of the regions.
 */
export async function forgetFittedTo(
  { rows }: Queries,
  raceIds: readonly string[],
  formDays: ReadonlyMap<string, string>,
): Promise<string[]> {
  const changed = await rows<{ regionId: string; season: number }>(
    `select region_id, min(season)::int as season from (
       select region_id, season from race where id = any($1::text[]) and status <> 'scheduled'
       union all
       select region_id, coalesce((select max(season) from race where race.region_id = form.region_id and race_date <= day), 0)
       from unnest($2::text[], $3::date[]) as form (region_id, day)) as changed
     group by region_id`,
    [raceIds, [...formDays.keys()], [...formDays.values()]],
  )
  for (const { regionId, season } of changed) {
    await rows('delete from model_card where region_id = $1', [regionId])
    // A season's version is fitted to earlier seasons only.
    const gone = await allValues<number>(
      { rows },
      'delete from model_version where region_id = $1 and season > $2::smallint returning season',
      [regionId, season],
    )
    if (gone.length === 0) continue
    await bumpLearning({ rows }, regionId, null)
    await rows(`update race set scoring = 'stale' where region_id = $1 and season > $2::smallint`, [
      regionId,
      season,
    ])
  }
  return changed.map(({ regionId }) => regionId)
}

export async function saveVersion({ rows }: Queries, version: ModelVersion): Promise<void> {
  const text = versionText(version)
  await rows(
    `insert into model_version (region_id, season, sha256, content) values ($1, $2, $3, $4)
     on conflict (region_id, season) do update set sha256 = excluded.sha256, content = excluded.content`,
    [version.regionId, version.season, versionHash(text), text],
  )
  await bumpLearning({ rows }, version.regionId, null)
}

/** A region's model versions by season, in order; files of another format are omitted. */
export async function loadVersions({ rows }: Queries, regionId: string): Promise<Map<number, ModelVersion>> {
  const found = await rows<{ season: number; content: string }>(
    'select season, content from model_version where region_id = $1 order by season',
    [regionId],
  )
  const versions = new Map<number, ModelVersion>()
  for (const { season, content } of found) {
    const version = usableVersion(content)
    if (version !== null) versions.set(season, version)
  }
  return versions
}

/** A version of its file's text; `null` if it has other features or another format: the model will be trained again. */
function usableVersion(content: string): ModelVersion | null {
  try {
    const version = readVersion(content)
    const features = version.fundamental?.features.map(({ key }) => key) ?? FEATURE_KEYS
    // Weights are matched to features by position.
    return features.join() === FEATURE_KEYS.join() ? version : null
  } catch {
    return null
  }
}

/** What is kept of a race for trials, as it is stored; `content`: packed, as hexadecimal digits. */
export interface PackedLookBack {
  season: number
  sha256: string
  content: string
}

/** Packs what is to be kept of a race: before the transaction that stores it, which others may be waiting for. */
export async function packLookBack({ season, sha256, card, state }: RaceLookBack): Promise<PackedLookBack> {
  const content = await packed(JSON.stringify({ card, state: packState(state) }))
  return { season, sha256, content: content.toString('hex') }
}

/**
 * Replaces what is kept of races for trials, after their predictions; of a race with `null`, nothing is kept. A row that
 * would be the same is not written: new odds alone change neither card nor state.
 */
export async function replaceLookBacks(
  { rows }: Queries,
  races: readonly { raceId: string; lookBack: PackedLookBack | null }[],
): Promise<void> {
  const kept = races.flatMap(({ raceId, lookBack }) => (lookBack === null ? [] : [{ raceId, ...lookBack }]))
  const gone = races.flatMap(({ raceId, lookBack }) => (lookBack === null ? [raceId] : []))
  if (gone.length > 0) await rows('delete from race_look_back where race_id = any($1::text[])', [gone])
  if (kept.length === 0) return
  await rows(
    `insert into race_look_back as t (race_id, season, sha256, content)
     select race_id, season, sha256, decode(content, 'hex')
     from unnest($1::text[], $2::smallint[], $3::text[], $4::text[]) as n (race_id, season, sha256, content)
     on conflict (race_id) do update set season = excluded.season, sha256 = excluded.sha256, content = excluded.content
       where (t.season, t.sha256, t.content) is distinct from (excluded.season, excluded.sha256, excluded.content)`,
    [
      kept.map(({ raceId }) => raceId),
      kept.map(({ season }) => season),
      kept.map(({ sha256 }) => sha256),
      kept.map(({ content }) => content),
    ],
  )
}

/** Versions that trials were made with, by hash: a file of that hash never changes. */
const triedVersions = new Map<string, ModelVersion>()
const MOST_TRIED = 4

async function versionOf(queries: Queries, regionId: string, sha256: string): Promise<ModelVersion | null> {
  const known = triedVersions.get(sha256)
  if (known !== undefined) return known
  const content = await firstValue<string>(
    queries,
    'select content from model_version where region_id = $1 and sha256 = $2',
    [regionId, sha256],
  )
  const version = content === null ? null : usableVersion(content)
  if (version === null) return null
  for (const oldest of triedVersions.keys())
    if (triedVersions.size >= MOST_TRIED) triedVersions.delete(oldest)
  triedVersions.set(sha256, version)
  return version
}

/**
 * What was kept of a race, with the version by which it was predicted. `look-back`: nothing was kept, or by another build;
 * `version`: the model has been trained anew since.
 */
export async function readLookBack(
  queries: Queries,
  raceId: string,
): Promise<(RaceLookBack & { version: ModelVersion }) | 'look-back' | 'version'> {
  const [row] = await queries.rows<{ season: number; sha256: string; regionId: string; content: Uint8Array }>(
    `select kept.season, sha256, region_id, content from race_look_back kept join race on race.id = race_id
     where race_id = $1`,
    [raceId],
  )
  if (!row) return 'look-back'
  const { card, state: text } = JSON.parse((await unpack(row.content)).toString('utf8')) as {
    card: RaceLookBack['card']
    state: string
  }
  const state = unpackState(text)
  if (state === null) return 'look-back'
  const version = await versionOf(queries, row.regionId, row.sha256)
  return version === null ? 'version' : { season: row.season, sha256: row.sha256, card, state, version }
}

/** Season and hash of each model version. */
export const listVersions = (
  { rows }: Queries,
  regionId: string,
): Promise<{ season: number; sha256: string }[]> =>
  rows('select season, sha256 from model_version where region_id = $1 order by season', [regionId])

/** A region's promotions, oldest first. */
export const listPromotions = ({ rows }: Queries, regionId: string): Promise<Promotion[]> =>
  rows('select model_id as model, promoted_at from model_promotion where region_id = $1 order by number', [
    regionId,
  ])

/** Appends a promotion. Call it after `holdChains`, so that nothing is locked meanwhile with an earlier instant. */
export async function appendPromotion(
  { rows }: Queries,
  regionId: string,
  { model, promotedAt }: Promotion,
): Promise<void> {
  await rows(
    `insert into model_promotion (region_id, number, model_id, promoted_at)
     select $1, coalesce(max(number), 0) + 1, $2, $3::timestamptz from model_promotion where region_id = $1`,
    [regionId, model, promotedAt],
  )
}

/** Whether any race of a region has predictions of a model. */
export const hasPredictionsOf = (queries: Queries, regionId: string, model: string): Promise<boolean> =>
  isAny(
    queries,
    `select 1 from race where region_id = $1
       and exists (select from win_chance where race_id = race.id and model_id = $2) limit 1`,
    [regionId, model],
  )

/** Number of races to come that have a locked prediction and show a model first. */
export async function countLockedAhead({ rows }: Queries, regionId: string, model: string): Promise<number> {
  const [row] = await rows<{ count: number }>(
    `select count(*)::int as count from race where region_id = $1 and status = 'scheduled' and headline_model = $2
       and exists (select from prediction_lock where race_id = race.id)`,
    [regionId, model],
  )
  return row!.count
}

export async function saveCard({ rows }: Queries, regionId: string, content: string): Promise<void> {
  await rows(
    `insert into model_card (region_id, content) values ($1, $2)
     on conflict (region_id) do update set content = excluded.content`,
    [regionId, content],
  )
}

/** A region's model card; `null` if there is none, or one of an earlier build that lacks figures: it is computed anew. */
export async function loadCard(queries: Queries, regionId: string): Promise<ModelCardAnswer | null> {
  const content = await firstValue<string>(queries, 'select content from model_card where region_id = $1', [
    regionId,
  ])
  if (content === null) return null
  const stored = JSON.parse(content) as object
  // A card of an earlier program has notes, which are now the program's; those of other regions compared with pools by Hong Kong's
  // takeouts, too.
  if ('weaknesses' in stored && regionId !== HONG_KONG.id) return null
  const known = Object.entries(stored).filter(([name]) => name in ModelCardAnswer.shape)
  return ModelCardAnswer.safeParse(Object.fromEntries(known)).data ?? null
}

/** Marks a region's races of these seasons to be scored again. */
export async function markStale(
  { rows }: Queries,
  regionId: string,
  seasons: readonly number[],
): Promise<void> {
  await rows(`update race set scoring = 'stale' where region_id = $1 and season = any($2::smallint[])`, [
    regionId,
    seasons,
  ])
}

/** Regions with at least `least` official results, with their first such season and their last one. */
export const regionsWithResults = (
  { rows }: Queries,
  least: number,
): Promise<{ regionId: string; firstSeason: number; lastSeason: number }[]> =>
  rows(
    `select region_id, min(season) filter (where status = 'final') as first_season, max(season) as last_season
     from race group by region_id having count(*) filter (where status = 'final') >= $1 order by region_id`,
    [least],
  )
