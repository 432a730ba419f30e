import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { queryRaceHorse } from '../../../contract/api/horse.ts'
import { queryFor } from '../../data/client/call.ts'
import { headToHeadPath } from '../../data/head-to-head-path.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { Name } from '../../i18n/name.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { LinkButton, List, Stack } from '../../ui/layout.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import styles from './head-to-head.module.css'

/** Maximum length that the call accepts. */
const LONGEST_TEXT = 40
/** Horses that are offered, beside the one itself. */
const OFFERED = 6
/** Of the panel before its words are known. */
const HEIGHT = 140

interface CompareWithProps {
  horseId: string
  /** As it is called in the reader's language. */
  name: string
  regionId: string
}

/** Finds a horse by name or brand number to compare this one with, as a panel of its screen. */
export default function CompareWith(props: CompareWithProps) {
  return (
    <ExtraTexts part="head-to-head" waiting={<Skeleton height={HEIGHT} />}>
      <Panel title={<FormattedMessage id="title.headToHead" />}>
        <Finder {...props} />
      </Panel>
    </ExtraTexts>
  )
}

function Finder({ horseId, name, regionId }: CompareWithProps) {
  const intl = useIntl()
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed.trim())
  const horses = useQuery({
    ...queryFor(
      queryRaceHorse,
      text === '' ? null : { pageNo: 1, pageSize: OFFERED + 1, countryRegionId: regionId, text },
      intl.locale,
    ),
    staleTime: 60_000,
    retry: 1,
  })
  const found = horses.data?.records.filter(({ id }) => id !== horseId).slice(0, OFFERED)
  return (
    <Stack tight className={styles.finder}>
      <TextField
        type="search"
        label={<FormattedMessage id="headToHead.find" values={{ horse: name }} />}
        hint={<FormattedMessage id="headToHead.hint" />}
        value={typed}
        maxLength={LONGEST_TEXT}
        onChange={setTyped}
      />
      {horses.error ? <ErrorNotice error={horses.error} onRetry={() => void horses.refetch()} /> : null}
      {found?.length === 0 ? <FormattedMessage id="headToHead.nobody" tagName="p" /> : null}
      {found === undefined || found.length === 0 ? null : (
        <List aria-label={intl.formatMessage({ id: 'headToHead.found' })}>
          {found.map((horse) => (
            <li key={horse.id}>
              <LinkButton quiet to={headToHeadPath(horseId, horse.id)}>
                <Name language={horse.nameLanguage}>{horse.name}</Name>
                {horse.number === horse.name ? null : <small>{horse.number}</small>}
              </LinkButton>
            </li>
          ))}
        </List>
      )}
    </Stack>
  )
}
