import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { rankOf } from '../../../domain/horse-hit.ts'
import { HONG_KONG, regionOfStadium } from '../../../domain/region.ts'
import { queryHorseInfo, type Horse } from '../../../contract/api/horse.ts'
import { FollowToggle } from '../../widgets/follow/follow.tsx'
import { FormChart, FormTable, HorseRecordBy, knowsPlaces } from '../../features/horse/horse-form.tsx'
import { Pedigree } from '../../features/horse/pedigree.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Name, PersonName } from '../../i18n/name.tsx'
import { useRaceWords } from '../../i18n/race-words.ts'
import { isCode } from '../../data/client/errors.ts'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { NotHere } from '../../ui/not-here.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { Columns, Facts, PageTitle, Row, Stack } from '../../ui/layout.tsx'
import { Silks } from '../../ui/silks.tsx'
import { Spark } from '../../ui/spark.tsx'
import { queryFor } from '../../data/client/call.ts'
import styles from './horse-detail-screen.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

// Loaded lazily: the code that queries predictions is large, and the horse itself is shown first.
const NotesPanel = lazy(() => import('../../features/notes/subject-notes.tsx'))
const CompareWith = lazy(() => import('../../features/head-to-head/compare-with.tsx'))
const HorsePace = lazy(() => import('../../features/pace/horse-pace.tsx'))
const ShareHorse = lazyOrNothing(() => import('../../features/horse/share-horse.tsx'))
const HorseRecord = lazy(() => import('../../workspace/list/horse-record.tsx'))

export function HorseDetailScreen() {
  const [params] = useSearchParams()
  const id = params.get('id') ?? ''
  const { locale } = useIntl()
  const horse = useQuery({
    ...queryFor(queryHorseInfo, id === '' ? null : { id }, locale),
    staleTime: 300_000,
    retry: 1,
  })
  if (id === '') return <NotHere title="horse.none" />
  if (isCode(horse.error, 'not-found')) return <NotHere title="horse.notFound" />
  if (horse.error && !horse.data)
    return <ErrorNotice error={horse.error} onRetry={() => void horse.refetch()} />
  if (!horse.data) return <Skeleton height={420} />
  return <Profile of={horse.data} />
}

const BUTTON_HEIGHT = 44

/** Of the field that finds a horse to compare with. */
const COMPARE_HEIGHT = 140

/** Of the panel with the finishing speeds before its words are known. */
const PACE_HEIGHT = 110

const CHINESE = /\p{Script=Han}/u

/** An owner, of whom files have one name; the server writes a Chinese one in the characters of its reader. */
function Owner({ name }: { name: string }) {
  const { locale } = useIntl()
  return <Name language={CHINESE.test(name) && locale !== 'zh-Hans' ? 'zh-Hant' : undefined}>{name}</Name>
}

/** A horse's career and runs first, then its record, the facts as far as they are known, and the reader's notes. */
function Profile({ of }: { of: Horse }) {
  const format = useFormat()
  const words = useRaceWords()
  // A horse's id starts with its region's code, as a racecourse's does.
  const { currency, id: regionId } = regionOfStadium(of.id) ?? HONG_KONG
  // A horse without a name in the reader's language is called by its number.
  const also = [of.nameEn, of.number].filter((text) => text !== null && text !== of.name)
  return (
    <Stack>
      <PageTitle>
        <div className={styles.line}>
          <h1 className={styles.line}>
            <Silks text={of.silks} />
            <Name language={of.nameLanguage}>{of.name}</Name>
          </h1>
          <FollowToggle of={{ kind: 'horse', target: of.id }} name={of.name} />
        </div>
        {also.length === 0 ? null : <p>{also.join(BETWEEN_FACTS)}</p>}
      </PageTitle>
      <Career form={of.form} lastRating={of.lastRating} />
      <Panel title={<FormattedMessage id="horse.form" />}>
        {of.form.length === 0 ? (
          <FormattedMessage id="horse.noRuns" tagName="p" />
        ) : (
          <Stack>
            <FormChart key={`chart ${of.id}`} form={of.form} />
            <FormTable key={`runs ${of.id}`} form={of.form} />
            <Suspense fallback={<Skeleton height={BUTTON_HEIGHT} />}>
              <Row>
                <ShareHorse horse={of} />
              </Row>
            </Suspense>
          </Stack>
        )}
      </Panel>
      <Suspense fallback={<Skeleton height={COMPARE_HEIGHT} />}>
        <CompareWith key={of.id} horseId={of.id} name={of.name} regionId={regionId} />
      </Suspense>
      <Panel title={<FormattedMessage id="horse.record" />}>
        <Suspense fallback={<Skeleton height={240} />}>
          <HorseRecord key={of.id} horseId={of.id} regionId={regionId} />
        </Suspense>
      </Panel>
      <Suspense fallback={<Skeleton height={PACE_HEIGHT} />}>
        <HorsePace key={of.id} horseId={of.id} />
      </Suspense>
      <Panel title={<FormattedMessage id="horse.records" />}>
        <HorseRecordBy form={of.form} />
      </Panel>
      <Columns>
        <Panel title={<FormattedMessage id="horse.facts" />}>
          <Facts
            knownOnly
            facts={[
              ['horse.region', of.countryRegion],
              [
                'horse.age',
                of.age === null || of.ageOn === null ? null : (
                  <FormattedMessage id="horse.ageOn" values={{ age: of.age, day: format.day(of.ageOn) }} />
                ),
              ],
              ['horse.sex', words.sex(of.sex)],
              ['horse.colour', words.colour(of.colour)],
              ['horse.importType', words.importType(of.importType)],
              ['horse.status', words.status(of.status)],
              ['horse.trainer', of.trainer && <PersonName name={of.trainer} language={of.trainerLanguage} />],
              ['horse.owner', of.owner && <Owner name={of.owner} />],
              ['horse.silks', of.silks === null ? null : <WornSilks text={of.silks} />],
              ['horse.seasonPrize', of.seasonPrize === null ? null : format.amount(of.seasonPrize, currency)],
              ['horse.totalPrize', of.totalPrize === null ? null : format.amount(of.totalPrize, currency)],
              ['horse.averageRating', of.averageRating === null ? null : format.decimal(of.averageRating, 1)],
            ]}
          />
        </Panel>
        {[of.sire, of.dam, of.maternalGrandsire].every((name) => name === null) ? null : (
          <Panel title={<FormattedMessage id="horse.pedigree" />}>
            <Pedigree horse={of} />
          </Panel>
        )}
      </Columns>
      <Suspense>
        <NotesPanel key={of.id} regionId={regionId} subject="horse" subjectId={of.id} />
      </Suspense>
    </Stack>
  )
}

const SHOWN_RUNS = 6
const PLACED = 3

/** Starts, wins and places, the last runs and the last rating in one line; nothing of a horse that has not run. */
function Career({ form, lastRating }: Pick<Horse, 'form' | 'lastRating'>) {
  const format = useFormat()
  const runs = form.filter(({ started }) => started)
  if (runs.length === 0) return null
  const last = runs.slice(0, SHOWN_RUNS)
  const within = (rank: number): number =>
    runs.filter(({ place }) => (rankOf(place ?? '') ?? Number.POSITIVE_INFINITY) <= rank).length
  return (
    <Facts
      knownOnly
      facts={[
        ['horse.starts', format.integer(runs.length)],
        ['horse.wins', format.integer(within(1))],
        ['horse.placed', knowsPlaces(form) ? format.integer(within(PLACED)) : null],
        [
          'race.card.form',
          last.every(({ place }) => place === null) ? null : last.map(({ place }) => place ?? '–').join('/'),
        ],
        ['horse.lastRating', lastRating === null ? null : <RatingLine form={form} last={lastRating} />],
      ]}
    />
  )
}

/** The last rating after a line of those before it, the oldest first. */
const RatingLine = ({ form, last }: { form: Horse['form']; last: number }) => (
  <span className={styles.line}>
    <Spark values={form.flatMap(({ rating }) => (rating === null ? [] : [rating])).toReversed()} />
    {last}
  </span>
)

/** The jockey's colours in words, as published, and their picture if every word is known. */
const WornSilks = ({ text }: { text: string }) => (
  <span className={styles.line}>
    <Silks text={text} />
    <span lang="en">{text}</span>
  </span>
)
