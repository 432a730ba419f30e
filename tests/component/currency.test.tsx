import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { FormattedMessage } from 'react-intl'
import { selectRegion, useCurrencyOf, useRegionCurrency } from '../../src/data/use-region.ts'
import { useFormat } from '../../src/i18n/format.ts'
import { MANIFEST } from './record.tsx'
import { part, renderPart, server } from './render.tsx'

/** In which currency amounts are told: that of the region on screen, or of the race that is looked at. */

const [HONG_KONG] = MANIFEST.regions
const BRITAIN = { ...HONG_KONG!, id: '100826', code: 'GB', nameEn: 'Great Britain', currency: 'GBP' }

function Amounts() {
  const format = useFormat()
  const [isOfRace, setOfRace] = useState(false)
  useRegionCurrency()
  return (
    <>
      <p data-testid="amounts">
        {format.money(1000)} {format.hkdCents(1000)} <FormattedMessage id="report.dividends" />
      </p>
      <button onClick={() => setOfRace((before) => !before)}>race</button>
      {isOfRace ? <Race of={HONG_KONG!.id} /> : null}
    </>
  )
}

function Race({ of }: { of: string }) {
  useCurrencyOf(of)
  return null
}

const shown = (text: string) => waitFor(() => expect(part('amounts').textContent).toBe(text))
const HKD = 'HK$10.00 HK$10.00 Dividends per HK$10'
const GBP = '£10.00 HK$10.00 Dividends per £1'

test('amounts and texts about them are in the currency of the region, and prices of the site in HK$', async () => {
  server.manifest = { ...MANIFEST, regions: [HONG_KONG!, BRITAIN] }
  await renderPart(<Amounts />)
  await shown(HKD)
  selectRegion(BRITAIN.id)
  await shown(GBP)
  selectRegion(HONG_KONG!.id)
  await shown(HKD)
})

test('where the reader has chosen no region, they are in the currency of the one that is shown', async () => {
  localStorage.removeItem('user_selected_region')
  server.manifest = { ...MANIFEST, regions: [BRITAIN] }
  const { user } = await renderPart(<Amounts />)
  await shown(GBP)
  // To a race of another region, and back.
  await user.click(screen.getByText('race'))
  await shown(HKD)
  await user.click(screen.getByText('race'))
  await shown(GBP)
})

test('another tab chooses the region as well', async () => {
  server.manifest = { ...MANIFEST, regions: [HONG_KONG!, BRITAIN] }
  selectRegion(HONG_KONG!.id)
  await renderPart(<Amounts />)
  await shown(HKD)
  localStorage.setItem('user_selected_region', BRITAIN.id)
  dispatchEvent(new StorageEvent('storage'))
  await shown(GBP)
})
