import { FileUp, Trash2 } from 'lucide-react'
import { useRef, useState, type DragEvent } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { OWN_SLOTS } from '../../../analytics/own-slots.ts'
import { MAX_OWN_BYTES, OWN_TABLE } from '../../../analytics/own-api.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { csvLine } from '../../../domain/csv.ts'
import { hasKeys } from '../../../domain/own-columns.ts'
import { storedWins } from '../../features/chances/stored-chances.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Row } from '../../ui/layout/row.tsx'
import { Small } from '../../ui/layout/small.tsx'
import { Stack } from '../../ui/layout/stack.tsx'
import type { SliceAnswer } from '../query/use-slice.ts'
import { OwnBreakdown } from './own-breakdown.tsx'
import { OwnColumns } from './own-columns.tsx'
import { OwnCompare } from './own-compare.tsx'
import { OwnMatched } from './own-matched.tsx'
import { OwnProblem } from './own-problem.tsx'
import { useOwn, type Own } from './use-own.ts'
import styles from './own.module.css'

interface OwnTabProps {
  slice: SliceAnswer
  model: ModelId
}

/** The user's own ratings compared with ours: matched to the region's starters, on this device only. */
export default function OwnTab(props: OwnTabProps) {
  return (
    <ExtraTexts part="own" waiting={<Skeleton height={480} />}>
      <OwnView {...props} />
    </ExtraTexts>
  )
}

function OwnView({ slice, model }: OwnTabProps) {
  const own = useOwn(model)
  const { state, connection } = own
  return (
    <Stack data-testid="own" data-state={state.kind}>
      {state.kind === 'read' ? <Chosen own={own} /> : <Choose own={own} />}
      {state.kind === 'read' ? (
        <>
          <OwnColumns file={state.file} roles={state.roles} onRoles={own.setRoles} />
          {!hasKeys(state.roles) ? (
            <OwnProblem problem="no-keys" details={{}} />
          ) : state.match.kind === 'waiting' ? (
            <Skeleton height={160} />
          ) : state.match.kind === 'failed' ? (
            <OwnProblem error={state.match.error} />
          ) : connection === null ? null : (
            <>
              <OwnMatched match={state.match.match} name={state.name} connection={connection} />
              {state.roles.probability === undefined ? null : (
                <OwnCompare number={state.match.number} connection={connection} slice={slice} model={model} />
              )}
              <OwnBreakdown
                number={state.match.number}
                connection={connection}
                slice={slice}
                file={state.file}
                roles={state.roles}
              />
            </>
          )}
        </>
      ) : null}
    </Stack>
  )
}

function Choose({ own }: { own: Own }) {
  const intl = useIntl()
  const format = useFormat()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const { state } = own
  const [kept] = useState(storedWins)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) own.choose(file)
  }
  return (
    <Panel title={<FormattedMessage id="own.title" />} actions={<HelpLink topic="own" text="own.help" />}>
      <Small>
        <FormattedMessage id="own.lead" />
      </Small>
      {state.kind === 'none' && state.error !== null ? <OwnProblem error={state.error} /> : null}
      {state.kind === 'reading' ? (
        <div className={styles.reading} role="status">
          <p>
            <FormattedMessage id="own.reading" values={{ name: state.name }} />
          </p>
          <progress
            aria-label={intl.formatMessage({ id: 'own.reading' }, { name: state.name })}
            {...(state.progress === null
              ? {}
              : { value: state.progress.doneBytes, max: state.progress.totalBytes })}
          />
          {state.progress === null ? null : (
            <Small>
              <FormattedMessage
                id="own.progress"
                values={{
                  done: format.bytes(state.progress.doneBytes),
                  total: format.bytes(state.progress.totalBytes),
                }}
              />
            </Small>
          )}
          <Button onClick={own.cancel}>
            <FormattedMessage id="common.cancel" />
          </Button>
        </div>
      ) : (
        <div
          className={styles.drop}
          data-over={over}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <FileUp aria-hidden="true" size={28} />
          <p>
            <FormattedMessage id="own.drop" values={{ limit: format.bytes(MAX_OWN_BYTES) }} />
          </p>
          <Button primary disabled={own.connection === null} onClick={() => input.current?.click()}>
            <FormattedMessage id="own.choose" />
          </Button>
          {kept.length === 0 ? null : (
            <Button disabled={own.connection === null} onClick={() => own.choose(keptFile(kept))}>
              <FormattedMessage
                id="own.useKept"
                values={{ races: new Set(kept.map(({ raceId }) => raceId)).size }}
              />
            </Button>
          )}
          <input
            ref={input}
            type="file"
            hidden
            accept=".csv,.txt,.tsv,.parquet,text/csv"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              if (file) own.choose(file)
              // Allows the same file to be selected again.
              event.target.value = ''
            }}
          />
        </div>
      )}
      <Small as="ul" className={styles.facts}>
        {[
          'own.fact.device',
          'own.fact.keys',
          'own.fact.probability',
          'own.fact.filters',
          'own.fact.console',
        ].map((each) => (
          <li key={each}>
            <FormattedMessage id={each} values={{ table: OWN_TABLE, count: OWN_SLOTS.length }} />
          </li>
        ))}
      </Small>
    </Panel>
  )
}

/** Probabilities stored on race pages as a file, with whether each was stored before post time. */
const keptFile = (kept: ReturnType<typeof storedWins>): File =>
  new File(
    [
      csvLine(['race_id', 'horse_no', 'probability', 'kept_before_off']),
      ...kept.map(({ raceId, number, chance, before }) =>
        csvLine([raceId, number, chance, before ? 'yes' : 'no']),
      ),
    ],
    'kept-chances.csv',
  )

function Chosen({ own }: { own: Own }) {
  const intl = useIntl()
  const format = useFormat()
  const { state } = own
  if (state.kind !== 'read') return null
  const keep = async (): Promise<void> => {
    const kept = await own.keep()
    showToast(intl.formatMessage({ id: kept ? 'own.kept' : 'own.notKept' }), kept ? 'good' : 'bad')
  }
  return (
    <Panel
      title={state.name}
      actions={
        <Row>
          <HelpLink topic="own" text="own.help" />
          {state.kept ? null : (
            <Button onClick={() => void keep()}>
              <FormattedMessage id="own.keep" />
            </Button>
          )}
          <Button onClick={() => void own.remove()}>
            <Trash2 aria-hidden="true" size={16} />
            <FormattedMessage id="own.remove" />
          </Button>
        </Row>
      }
    >
      <Small data-testid="own-file">
        <FormattedMessage
          id="own.size"
          values={{ rows: format.integer(state.file.rows), columns: state.file.columns.length }}
        />{' '}
        <FormattedMessage id={state.kept ? 'own.keptHere' : 'own.untilClosed'} />
      </Small>
    </Panel>
  )
}
