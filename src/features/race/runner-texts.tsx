import { Fragment, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { weightText } from '../../i18n/measures.ts'
import type { Competitor } from '../../../contract/api/racing.ts'
import { gearItems } from '../../../domain/gear.ts'
import { PersonName } from '../../i18n/name.tsx'
import { Small } from '../../ui/layout.tsx'
import { Hidden } from '../../ui/panel.tsx'
import styles from './racecard.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** Texts of a runner that are columns of their own where there is room, and otherwise stand below its name. */
export const TEXTS = ['form', 'ageSex', 'gear'] as const
export type RunnerText = (typeof TEXTS)[number]

/** Whether a text is known of a runner. */
export const HAS: Readonly<Record<RunnerText, (runner: Competitor) => boolean>> = {
  form: ({ lastRuns }) => lastRuns.length > 0,
  ageSex: ({ sex }) => sex !== null,
  gear: ({ gear }) => gear !== null && gearItems(gear).length > 0,
}

/** A text of a runner, if it is known. */
export function RunnerWord({ of, runner }: { of: RunnerText; runner: Competitor }): ReactNode {
  if (!HAS[of](runner)) return '–'
  if (of === 'form') return formOf(runner)
  if (of === 'gear') return <Gear gear={runner.gear!} />
  return <AgeSex runner={runner} />
}

const AgeSex = ({ runner: { age, sex } }: { runner: Competitor }) => (
  <FormattedMessage id="race.ageSex" values={{ age: age ?? 'unknown', sex: sex!.toLowerCase() }} />
)

/** The mark of what is worn for the first time. */
const FIRST = 1

/** Gear as published; what a horse wears for the first time stands out, and what was taken off is struck through. */
function Gear({ gear }: { gear: string }) {
  return gearItems(gear).map(({ code, mark }, index) => (
    <Fragment key={code}>
      {index === 0 ? null : '/'}
      {mark === 'first' ? (
        <strong className={styles.firstTime}>
          {code}
          <span aria-hidden="true">{FIRST}</span>
          <Hidden>
            {' '}
            <FormattedMessage id="race.gearFirst" />
          </Hidden>
        </strong>
      ) : (
        `${code}${mark === 'again' ? '2' : mark === 'off' ? '-' : ''}`
      )}
    </Fragment>
  ))
}

/** Parts of a line with a dot between them. */
export const dotted = (parts: readonly (readonly [key: string, part: ReactNode])[]): ReactNode =>
  parts.map(([key, part], index) => (
    <Fragment key={key}>
      {index === 0 ? '' : BETWEEN_FACTS}
      {part}
    </Fragment>
  ))

/** The places of a runner's last six runs, newest first. */
const formOf = ({ lastRuns }: Competitor): string => lastRuns.map((place) => place || '–').join('/')

/** Between jockey and trainer. */
const BETWEEN = ' / '

/** Jockey and trainer as far as they are known; nothing if neither is. */
function peopleOf({ jockey, jockeyLanguage, trainer, trainerLanguage }: Competitor): ReactNode {
  const rider = jockey === null ? '' : <PersonName name={jockey} language={jockeyLanguage} />
  const stable = trainer === null ? '' : <PersonName name={trainer} language={trainerLanguage} />
  if (rider === '' || stable === '') return rider || stable
  return (
    <>
      {rider}
      {BETWEEN}
      {stable}
    </>
  )
}

/** On a phone below a runner's name: what it was declared with, and its form and its people. */
export function RunnerLines({ runner }: { runner: Competitor }) {
  const intl = useIntl()
  const format = useFormat()
  const { draw, actualWeight, gear } = runner
  const declared = [
    ['draw', draw === null ? null : intl.formatMessage({ id: 'race.drawOf' }, { draw })],
    ['weight', actualWeight === null ? null : weightText({ intl, format }, actualWeight, runner.horseId)],
    ['gear', HAS.gear(runner) ? <Gear gear={gear!} /> : null],
    ['ageSex', HAS.ageSex(runner) ? <AgeSex runner={runner} /> : null],
  ] as const
  const second = [
    ['form', formOf(runner)],
    ['people', peopleOf(runner)],
  ] as const
  return (
    <>
      <Small as="span">{dotted(declared.filter(([, part]) => part !== null))}</Small>
      <span className={styles.people}>{dotted(second.filter(([, part]) => part !== ''))}</span>
    </>
  )
}
