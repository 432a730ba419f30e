import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { useManifest, useRegion } from '../../data/use-region.ts'
import { ScheduleList } from '../../features/schedule/schedule-list.tsx'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import styles from './home-screen.module.css'

/** The first page: what there is, from the API and the manifest alone; the engine is not needed for it. */
export function HomeScreen() {
  const manifest = useManifest()
  const { region } = useRegion()
  return (
    <div className={styles.screen}>
      <header className={styles.hero}>
        <h1>
          <FormattedMessage id="home.title" />
        </h1>
        <p>
          <FormattedMessage id="home.lead" />
        </p>
        <Link className={styles.action} to="/pages/race/WinLossRecord">
          <FormattedMessage id="home.toRecord" />
        </Link>
      </header>
      {manifest.error ? <ErrorNotice error={manifest.error} onRetry={() => void manifest.refetch()} /> : null}
      {manifest.isPending ? <Skeleton height={88} /> : null}
      {region ? <Figures regionId={region.id} /> : null}
      {region ? <ScheduleList region={region} /> : null}
    </div>
  )
}

function Figures({ regionId }: { regionId: string }) {
  const format = useFormat()
  const files = useManifest().data?.files.filter((file) => file.regionId === regionId) ?? []
  const rows = (table: string): number => files.reduce((sum, file) => sum + (file.rows[table] ?? 0), 0)
  const inRecord = files.filter(({ kind }) => kind === 'record')
  const predictions = inRecord.reduce((sum, file) => sum + (file.rows['prediction'] ?? 0), 0)
  const days = inRecord
    .flatMap(({ from, to }) => [from, to])
    .filter((day) => day !== null)
    .toSorted()
  const [from] = days
  const to = days.at(-1)
  return (
    <dl className={styles.figures}>
      <div>
        <dt>
          <FormattedMessage id="home.predictions" />
        </dt>
        <dd>{format.integer(predictions)}</dd>
      </div>
      <div>
        <dt>
          <FormattedMessage id="home.races" />
        </dt>
        <dd>{format.integer(rows('race'))}</dd>
      </div>
      {from && to ? (
        <div>
          <dt>
            <FormattedMessage id="home.span" />
          </dt>
          <dd>
            {format.day(from)} – {format.day(to)}
          </dd>
        </div>
      ) : null}
    </dl>
  )
}
