import { useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { queryRaceSections, type RaceSections } from '../../../contract/api/pace.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { rankOf } from '../../../domain/horse-hit.ts'
import { programNumber } from '../../../domain/program-number.ts'
import { queryFor } from '../../data/client/call.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { useRaceWords } from '../../i18n/race-words.ts'
import { ScrollRegion, Small, Stack, Table, TextCell } from '../../ui/layout.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { AgainstPar, parColour } from './against-par.tsx'
import { PaceMap, usePaceMap } from './pace-map.tsx'
import styles from './pace.module.css'

interface RacePaceProps {
  race: RaceInfo
  runners: readonly Competitor[]
}

const HEIGHT = 420

/** How a race is expected to be run; of one that was run, how it was, with sectional times. */
export default function RacePace(props: RacePaceProps) {
  // Asked for together with the words.
  usePaceMap(props.race.raceId)
  return (
    <ExtraTexts part="pace" waiting={<Skeleton height={HEIGHT} />}>
      <Stack tight>
        <PaceMap {...props} />
        {props.race.status === 'final' ? <Sections {...props} /> : null}
      </Stack>
    </ExtraTexts>
  )
}

/** The sections of a finished race by horse, against par. */
function Sections({ race, runners }: RacePaceProps) {
  const { locale } = useIntl()
  const sections = useQuery({
    ...queryFor(queryRaceSections, { raceId: race.raceId }, locale),
    staleTime: 300_000,
    retry: 1,
  })
  if (sections.error && !sections.data)
    return <ErrorNotice error={sections.error} onRetry={() => void sections.refetch()} />
  if (!sections.data) return <Skeleton height={HEIGHT} />
  return (
    <Panel title={<FormattedMessage id="pace.sections" />}>
      {sections.data.runners.length === 0 ? (
        <FormattedMessage id="pace.noSections" tagName="p" />
      ) : (
        <Stack tight>
          <SectionTable of={sections.data} runners={runners} />
          <ParNote of={sections.data} />
        </Stack>
      )}
    </Panel>
  )
}

/** What par is, and of how many races. */
function ParNote({ of: { sections } }: { of: RaceSections }) {
  const format = useFormat()
  const last = sections.at(-1)!
  return (
    <>
      <Small text="pace.marginNote" />
      <Small>
        <FormattedMessage
          id={last.parMs === null ? 'pace.noPar' : 'pace.parNote'}
          values={{
            races: last.parRaces,
            count: format.integer(last.parRaces),
            same: format.integer(last.parSameRaces),
          }}
        />
      </Small>
      <Small text="pace.finishingNote" />
    </>
  )
}

const NO_RANK = 99

function SectionTable({ of, runners }: { of: RaceSections; runners: readonly Competitor[] }) {
  const format = useFormat()
  const known = new Map(of.runners.map((runner) => [runner.horseNumber, runner]))
  const rows = runners
    .flatMap((runner) => {
      const own = known.get(runner.horseNumber ?? 0)
      return own === undefined ? [] : [{ runner, own }]
    })
    .toSorted((a, b) => (rankOf(a.runner.ranking) ?? NO_RANK) - (rankOf(b.runner.ranking) ?? NO_RANK))
  return (
    <ScrollRegion label="pace.sections">
      <Table data-testid="section-table">
        <SectionHeadings sections={of.sections} />
        <tbody>
          {rows.map(({ runner, own }) => (
            <tr key={runner.horseId}>
              <TextCell as="th" scope="row">
                <span className={styles.horse}>
                  <NumberCloth value={programNumber(runner) ?? '–'} small />
                  <Name language={runner.nameLanguage}>{runner.name}</Name>
                </span>
              </TextCell>
              <td>{runner.ranking || '–'}</td>
              <td>{own.finishingSpeed === null ? '–' : format.percent(own.finishingSpeed / 100)}</td>
              <td>
                <AgainstPar percent={own.earlyPace} />
              </td>
              <td>
                <AgainstPar percent={own.latePace} />
              </td>
              {of.sections.map(({ sectionNo }) => (
                <td key={sectionNo}>
                  <SectionCell of={own.sections.find((section) => section.sectionNo === sectionNo)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <TextCell as="th" scope="row" colSpan={5}>
              <FormattedMessage id="pace.par" />
            </TextCell>
            {of.sections.map(({ sectionNo, parMs }) => (
              <td key={sectionNo}>{parMs === null ? '–' : format.decimal(parMs / 1000, 2)}</td>
            ))}
          </tr>
        </tfoot>
      </Table>
    </ScrollRegion>
  )
}

function SectionHeadings({ sections }: { sections: RaceSections['sections'] }) {
  const format = useFormat()
  const endOf = (index: number): number =>
    sections.slice(0, index + 1).reduce((end, { lengthM }) => end + (lengthM ?? 0), 0)
  return (
    <thead>
      <tr>
        <TextCell as="th" scope="col">
          <FormattedMessage id="race.horse" />
        </TextCell>
        {['horse.place', 'pace.finishing', 'pace.early', 'pace.late'].map((id) => (
          <th key={id} scope="col">
            <FormattedMessage id={id} />
          </th>
        ))}
        {sections.map(({ sectionNo, lengthM }, index) => (
          <th key={sectionNo} scope="col">
            {lengthM === null ? (
              <FormattedMessage id="pace.sectionNo" values={{ number: sectionNo }} />
            ) : (
              <FormattedMessage
                id="pace.sectionFromTo"
                values={{ from: format.integer(endOf(index) - lengthM), to: format.integer(endOf(index)) }}
              />
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

const joined = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(BETWEEN_FACTS)

type Section = RaceSections['runners'][number]['sections'][number]

/** Time, position and margin at the end, and speed, of a runner in a section. */
function SectionCell({ of: section }: { of: Section | undefined }) {
  const format = useFormat()
  const intl = useIntl()
  const words = useRaceWords()
  if (section === undefined) return '–'
  const { position, margin, timeMs, speed, againstPar } = section
  const place = [position === null ? null : format.integer(position), words.margin(margin)]
  return (
    <span {...parColour(againstPar)}>
      <span>{timeMs === null ? '–' : format.decimal(timeMs / 1000, 2)}</span>
      <Small as="span">{joined(place)}</Small>
      <Small as="span">
        {joined([
          speed === null
            ? null
            : intl.formatMessage({ id: 'pace.speed' }, { speed: format.decimal(speed, 1) }),
          againstPar === null ? null : format.signedPercent(againstPar / 100),
        ])}
      </Small>
    </span>
  )
}
