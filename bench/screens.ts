import { PAGES, type Page } from '../src/data/pages.ts'
import { addressesOf } from '../tests/support/page-routes.ts'
import type { SignedInRole } from './site.ts'

export type Role = 'visitor' | SignedInRole

/** Screens without content of their own: results of an action, others' addresses, and texts in a frame. */
const LEFT_OUT = new Set<string>([
  '/pages/login/fylogin',
  '/pages/login/loginResult',
  '/pages/login/fyregisterResult',
  '/pages/login/protocal',
  '/pages/login/protocal2',
  '/pages/race/vippayresult',
  '/pages/user/fyorder',
  '/pages/user/userexit',
  '/pages/help/:topic',
])
/** Screens of one role; the others are everybody's, or of all that are signed in. */
const OF_ROLE: Readonly<Record<string, Role>> = {
  '/pages/user/apply': 'member',
  '/pages/user/promotionServiceProvider': 'provider',
  '/pages/user/bankCard': 'provider',
  '/pages/user/withdrawal': 'provider',
}

const roleOf = ({ path, signedIn }: Page): Role | 'everybody' | 'signed in' =>
  OF_ROLE[path] ?? (path.startsWith('/pages/login/') ? 'visitor' : signedIn ? 'signed in' : 'everybody')

/** Addresses of the screens of a role; `{race}`, `{coming}`, `{horse}` and `{other}` are ids. */
const screensOf = (role: ReturnType<typeof roleOf>): string[] =>
  PAGES.filter(
    (page) => !LEFT_OUT.has(page.path) && !page.path.startsWith('/pages/common/') && roleOf(page) === role,
  ).flatMap(({ path }) => (path === '/pages/race/HorseRace' ? RACES : addressesOf(path).slice(0, 1)))

const RACES = ['race', 'coming'].map((which) => `/pages/race/HorseRace?id={${which}}&source=pr`)
const RACE_PARTS = [
  '/pages/race/HorseRace?id={race}&source=pr&tab=pace',
  '/pages/race/HorseRace?id={coming}&source=pr&tab=pace',
  '/pages/race/HorseRace?id={coming}&source=pr&tab=form',
]
const EVERYBODY = ['/', ...screensOf('everybody'), '/no/such/page']
const MEMBER = screensOf('signed in')
const record = (rest: string): string => `/pages/race/WinLossRecord?model=market-baseline&${rest}`
const DOCUMENT = `-- %% document Draw at Sha Tin
-- %% text
-- # Draw
-- Starters and winners of each draw.
-- %% sql by_draw
SELECT draw, count(*) AS runs, sum(won) AS wins FROM starter JOIN race USING (race_key, race_date)
WHERE course = 'HKSHT' GROUP BY draw
;
-- %% sql
SELECT draw, runs, wins / runs AS rate FROM by_draw ORDER BY draw
;
`
const VIP = [
  ...RACE_PARTS,
  ...['lab', 'calibration', 'models', 'seasons', 'console', 'own'].map((tab) => record(`tab=${tab}`)),
  record('s=runners'),
  record('s=races'),
  record('p=pivot:course.going.count.return!'),
  record('tab=lab&lab=boxes'),
  record(`tab=console&sql=${encodeURIComponent(DOCUMENT)}`),
]

/** The screens on the contact sheets of each role. */
export const ROLE_SCREENS: Readonly<Record<Role, readonly string[]>> = {
  visitor: [...EVERYBODY, ...screensOf('visitor')],
  member: [...EVERYBODY, ...MEMBER, ...screensOf('member')],
  VIP: [...EVERYBODY, ...MEMBER, ...VIP],
  provider: [...EVERYBODY, ...MEMBER, ...screensOf('provider')],
}

/**
 * Every address of the site with those to whom its content differs: a visitor where nobody need be signed in, and a VIP, or
 * the role that has the screen to itself.
 */
export const EVERY_SCREEN: readonly { route: string; role: Role }[] = [
  { route: '/', role: 'visitor' as const },
  { route: '/', role: 'VIP' as const },
  ...PAGES.flatMap((page) => {
    const role = roleOf(page)
    const roles: readonly Role[] =
      role === 'everybody' ? ['visitor', 'VIP'] : role === 'signed in' ? ['VIP'] : [role]
    const routes = page.path === '/pages/race/HorseRace' ? RACES : addressesOf(page.path)
    return routes.flatMap((route) => roles.map((each) => ({ route, role: each })))
  }),
  ...VIP.map((route) => ({ route, role: 'VIP' as const })),
  { route: '/no/such/page', role: 'visitor' as const },
]
