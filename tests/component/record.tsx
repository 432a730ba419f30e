import { act, screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import type { Request } from '../../analytics/request.ts'
import { userInfo, type AccountInfo } from '../../contract/api/account.ts'
import { queryFollows } from '../../contract/api/follow.ts'
import { queryMarks } from '../../contract/api/mark.ts'
import { queryModelCard, type ModelCardAnswer } from '../../contract/api/model.ts'
import { querySavedViews } from '../../contract/api/view.ts'
import { storeToken } from '../../src/data/client/session.ts'
import { AnalyticsGate } from '../../src/features/dataset/analytics-gate.tsx'
import { Workspace } from '../../src/workspace/workspace.tsx'
import { keepOutOfView } from './browser-stand-ins.ts'
import { bets, type Fact } from './prepared-facts.ts'
import { PreparedConnector, type PreparedTables } from './prepared-connector.ts'
import { part, renderPart, server, type RenderOptions } from './render.tsx'

/** The regions of the manifest. */
export const MANIFEST = {
  schema: 7,
  asOf: '2026-01-31T00:00:00.000Z',
  demonstration: false,
  regions: [
    {
      id: '100000',
      code: 'HK',
      nameEn: 'Hong Kong',
      nameHant: '香港',
      nameHans: '香港',
      timeZone: 'Asia/Hong_Kong',
      currency: 'HKD',
      seasonStartMonth: 9,
    },
  ],
  files: [
    {
      kind: 'racing',
      regionId: '100000',
      season: 2024,
      model: null,
      entitlement: 'public',
      sha256: '0'.repeat(64),
      bytes: 1,
      rows: {},
      from: '2024-09-08',
      to: '2026-01-28',
    },
  ],
}

/** Whoever signs in. */
export const ACCOUNT: AccountInfo = {
  id: '01234567-89ab-4cde-8f01-23456789abcd',
  account: 'reader',
  nickname: 'Reader',
  realName: null,
  phone: '6123****',
  gender: 0,
  headUrl: null,
  currency: 'HKD',
  income: '0.00',
  settlementAccount: null,
  everyDayFreeNum: 1,
  subscribeFreeNum: 3,
  isPromotionServiceProvider: 0,
  customerType: 1,
  isVip: 0,
  vipStartTime: null,
  vipEndTime: null,
}

/** Signs a reader in: a member, or one whose membership of VIPs lasts. */
export function signIn(role: 'member' | 'vip', account: Partial<AccountInfo> = {}): void {
  storeToken('token-of-the-reader')
  const vip = role === 'vip' ? { isVip: 1 as const, vipEndTime: '2099-01-01T00:00:00.000Z' } : {}
  server.answer(userInfo, { ...ACCOUNT, ...vip, ...account })
  server.answer(queryFollows, [])
  server.answer(queryMarks, [])
}

const NAMES = {
  racecourse: { 1: ['Sha Tin', '沙田', '沙田'], 2: ['Happy Valley', '跑馬地', '跑马地'] },
  horse: { 7: ['Golden Mile', '金里', '金里'], 8: ['Fast Friend', '快友', '快友'] },
} as const

/** 200 main win picks: 120 on good going with 30 hits, 80 on wet ground with 10. */
export const PICKS: readonly Fact[] = [
  ...bets(80, 20, 2500, { going: 'good', racecourse: 1, distance: 1200, draw: 1 }, { day: '2025-11-02' }),
  ...bets(40, 10, 2000, { going: 'good', racecourse: 2, distance: 1650, draw: 2 }, { day: '2026-01-04' }),
  ...bets(50, 8, 3000, { going: 'yielding', racecourse: 1, distance: 1200, draw: 2 }, { day: '2025-12-07' }),
  ...bets(30, 2, 4000, { going: 'yielding', racecourse: 2, distance: 1200, draw: 1 }, { day: '2026-01-11' }),
]

interface RecordOptions extends RenderOptions {
  role?: 'visitor' | 'member' | 'vip'
  tables?: PreparedTables
  /** Words of the address, beside the model and the origin. */
  words?: string
  /** The model without odds that stands promoted. */
  headline?: 'fundamental' | 'network'
  /** Whether the list of predictions is in view. */
  list?: boolean
  /** The model card; none was made if it is left out. */
  card?: ModelCardAnswer | null
  /** Requests that are not answered until the returned `release` is called. */
  delayed?: (request: Request) => boolean
}

export const filterWords = (clauses: string): string => `v=2&f=${encodeURIComponent(clauses)}`

/** Opens the record on prepared predictions, and waits until its figures are shown. */
export async function openRecord({
  role = 'vip',
  tables = {},
  words = '',
  headline,
  list = false,
  card = null,
  delayed,
  ...options
}: RecordOptions = {}) {
  server.manifest =
    headline === undefined
      ? MANIFEST
      : { ...MANIFEST, regions: MANIFEST.regions.map((region) => ({ ...region, headline })) }
  keepOutOfView(list ? null : '[aria-labelledby=rows-heading]')
  if (role !== 'visitor') {
    signIn(role)
    server.answer(querySavedViews, [])
    server.answer(queryModelCard, card && { card, text: '', promotions: [] })
  }
  const connector = new PreparedConnector({
    predictions: PICKS,
    runners: [],
    races: [],
    named: () => [],
    names: NAMES,
    scope: role === 'vip' ? 'all' : 'public',
    ...tables,
  })
  const release = delayed ? connector.hold(delayed) : () => undefined
  server.connect(connector)
  server.connect(connector, 'own')
  const coming = new PreparedConnector({ predictions: [], runners: [], races: [], names: NAMES })
  server.connect(coming, 'coming')
  const rendered = await renderPart(
    <AnalyticsGate>
      <Workspace />
    </AnalyticsGate>,
    {
      parts: ['workspace'],
      path: `/pages/race/WinLossRecord?model=market-baseline&origin=backtest${words === '' ? '' : `&${words}`}`,
      ...options,
    },
  )
  await figuresReady()
  return { ...rendered, connector, coming, release }
}

/** Waits until the figures are those of the view in the address, and the rest of the page is drawn with them. */
export async function figuresReady(): Promise<void> {
  await waitFor(() => {
    expect(document.querySelector('[role=tabpanel]')).not.toBeNull()
    // Some tabs have no figures beside them.
    expect(screen.queryByTestId('record-tiles')?.getAttribute('aria-busy') ?? 'false').toBe('false')
    expect(document.querySelector('[data-drawing=true]')).toBeNull()
  })
  // Panels find out that they are in view.
  await act(async () => {})
}

/** A figure above the tabs, and the note below it. */
export function tile(label: string): { value: string; note: string } {
  const cell = [...part('record-tiles').children].find(
    (each) => each.querySelector('dt')?.textContent === label,
  )
  const [value, note] = [...(cell?.querySelectorAll('dd') ?? [])].map((each) => each.textContent)
  return { value: value ?? '', note: note ?? '' }
}

/** A breakdown, once it has rows. */
export async function breakdown(by: string): Promise<HTMLElement> {
  const find = (): HTMLElement | undefined =>
    screen.queryAllByTestId('breakdown').find((each) => each.dataset['by'] === by)
  await waitFor(() => expect(find()?.querySelector('tbody tr')).toBeTruthy())
  return find()!
}

/** A filter of the rail. */
export const facet = (dim: string): HTMLElement =>
  document.querySelector<HTMLElement>(`[data-facet="${dim}"]`)!

export const panel = (kind: string): HTMLElement =>
  document.querySelector<HTMLElement>(`[data-panel=${kind}]`)!
