import { lazy, Suspense } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useLocation, useSearchParams } from 'react-router-dom'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useSetParam } from '../../ui/behaviour/use-set-param.ts'
import { OneOf } from '../../ui/fields/choices.tsx'
import { Stack } from '../../ui/layout.tsx'
import { Skeleton } from '../../ui/panel.tsx'

const OwnChances = lazy(() => import('./own-chances.tsx'))
const WhatIf = lazy(() => import('./what-if.tsx'))

const WAYS = ['hand', 'card'] as const
const HEIGHT = 480

interface ChancesPartProps {
  race: RaceInfo
  runners: readonly Competitor[]
}

/** Other chances than the model's: set by hand, or what the model would say of another card. */
export default function ChancesPart(props: ChancesPartProps) {
  return (
    <ExtraTexts part="chances" waiting={<Skeleton height={HEIGHT} />}>
      <Ways {...props} />
    </ExtraTexts>
  )
}

function Ways(props: ChancesPartProps) {
  const intl = useIntl()
  const [params] = useSearchParams()
  const setParam = useSetParam()
  const { state } = useLocation()
  const way = WAYS.find((each) => each === params.get('by')) ?? 'hand'
  return (
    <Stack tight>
      <OneOf
        legend={intl.formatMessage({ id: 'chances.by' })}
        value={way}
        choices={WAYS.map((value) => ({ value, label: <FormattedMessage id={`chances.by.${value}`} /> }))}
        onChange={(value) => setParam('by', value, state)}
      />
      <Suspense fallback={<Skeleton height={HEIGHT} />}>
        {way === 'card' ? <WhatIf {...props} /> : <OwnChances {...props} />}
      </Suspense>
    </Stack>
  )
}
