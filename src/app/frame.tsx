import {
  ChevronLeft,
  CircleUserRound,
  Home,
  ListChecks,
  Sparkles,
  Trophy,
  type LucideIcon,
} from 'lucide-react'
import { Suspense, useEffect, useRef } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { NavLink, Outlet, ScrollRestoration, useLocation, useNavigate, useNavigation } from 'react-router-dom'
import { isInstalled } from '../data/client/device.ts'
import { reloadWithNewBuild } from '../data/new-build.ts'
import { pageAt } from '../data/pages.ts'
import { useToken } from '../data/client/session.ts'
import { useManifest } from '../data/use-region.ts'
import { PaletteTool } from '../features/palette/palette-tool.tsx'
import { AccountTool } from '../features/session/account-tool.tsx'
import { SessionEndDialog, TokenWatch } from '../features/session/session-end-dialog.tsx'
import { UpdateNotice } from '../features/update/update-notice.tsx'
import { NameNotes } from '../i18n/name.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/panel.tsx'
import { lazyOrNothing } from '../ui/behaviour/lazy-or-nothing.ts'
import { Toasts } from '../ui/toast.tsx'
import { useDelayed } from '../ui/behaviour/use-delayed.ts'
import { useWide } from '../ui/behaviour/use-wide.ts'
import styles from './frame.module.css'
import { Clock, DemonstrationMark, RegionWarning, SettingsTool } from './frame-tools.tsx'
import { LiveLine, LiveNotice } from './live-line.tsx'
import { VisitLog } from './visit-log.tsx'
import { TextLink } from '../ui/layout.tsx'

const RECORD = '/pages/race/WinLossRecord'
const ME = '/pages/user/fypeople'
/** Screens that are reached from the personal centre. */
const BELOW_ME = /^\/pages\/(user\/(?!contactUs)|login\/(?!protocal)|race\/(vip|Subscribe))/
const Questions = lazyOrNothing(() => import('../workspace/questions/palette-questions.tsx'))
const MatchMark = lazyOrNothing(() => import('../workspace/saved/match-mark.tsx'))

interface NavPage {
  to: string
  message: string
  /** A shorter message, if there is one. */
  short?: string
  Icon: LucideIcon
}

const NAV: readonly NavPage[] = [
  { to: '/', message: 'nav.home', Icon: Home },
  { to: '/pages/race/racehome', message: 'nav.tips', Icon: Sparkles },
  {
    to: '/pages/race/PredictionResults',
    message: 'nav.results',
    short: 'nav.resultsShort',
    Icon: ListChecks,
  },
  { to: RECORD, message: 'nav.record', short: 'nav.recordShort', Icon: Trophy },
  { to: ME, message: 'nav.me', Icon: CircleUserRound },
]

/** The layout of every screen: header, navigation, and permanent notices. */
export function Frame() {
  const manifestQuery = useManifest()
  const manifest = manifestQuery.data
  const moving = useNavigation().state === 'loading'
  const wide = useWide()
  const roomy = useWide(LONG_NAMES)
  const main = useVisits()
  useHeadingFocus(main)
  usePageTitle()
  return (
    <div className={styles.frame} onClickCapture={moving ? lockLinks : undefined}>
      <a className={styles.skip} href="#main" onClick={skipToMain}>
        <FormattedMessage id="nav.skip" />
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <div className={styles.identity}>
            <Brand />
            {CLOCK}
          </div>
          {wide ? <Pages className={styles.nav!} names={roomy ? 'long' : 'short'} /> : null}
          <div className={styles.tools}>
            {manifest?.demonstration ? <DemonstrationMark /> : null}
            {TOOLS}
          </div>
        </div>
        {moving ? <div className={styles.progress} /> : null}
        <SlowNotice moving={moving} />
        {NOTICES}
      </header>
      <main id="main" className={styles.main} tabIndex={-1} ref={main}>
        {manifestQuery.error && !manifest ? (
          <ErrorNotice error={manifestQuery.error} onRetry={() => void manifestQuery.refetch()} />
        ) : null}
        <Outlet />
        <NameNotes />
      </main>
      {FOOTER}
      {wide ? null : <Pages className={styles.bottom!} names="with pictures" />}
      {BACKGROUND_PARTS}
      <ScrollRestoration />
    </div>
  )
}

/**
 * Link to the home screen. In the installed app, which has no browser bar, a back button instead on
 * screens below the top level.
 */
function Brand() {
  const intl = useIntl()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const title = isInstalled() ? pageAt(pathname)?.title : undefined
  if (title === undefined || NAV.some(({ to }) => to === pathname))
    return (
      <NavLink className={styles.brand} to="/">
        <img src="./icon.svg" alt="" width={28} height={28} />
        <span className={styles.product}>{PRODUCT}</span>
      </NavLink>
    )
  return (
    <div className={styles.brand}>
      <button
        type="button"
        className={styles.back}
        aria-label={intl.formatMessage({ id: 'nav.back' })}
        // A screen that was opened from outside has no previous entry.
        onClick={() => void (hasPrevious() ? navigate(-1) : navigate('/'))}
      >
        <ChevronLeft aria-hidden="true" size={24} />
      </button>
      <span className={`${styles.product} ${styles.title}`}>
        <FormattedMessage id={title} />
      </span>
    </div>
  )
}

/** Whether the router has a previous screen: `idx` is also preserved when a history entry is replaced. */
function hasPrevious(): boolean {
  const { idx } = (history.state ?? {}) as { idx?: number }
  return (idx ?? 0) > 0
}

/** Minimum width at which the long names of the pages fit. */
const LONG_NAMES = 1100

// Constant elements that do not depend on the address: a gesture in the workspace, which changes the address,
// does not re-render them.
const TOOLS = (
  <>
    <PaletteTool QuestionReader={Questions} />
    <SettingsTool />
    <AccountTool />
  </>
)
const CLOCK = <Clock />
const NOTICES = (
  <>
    <LiveNotice />
    <UpdateNotice />
  </>
)
const BACKGROUND_PARTS = (
  <>
    <TokenWatch />
    <VisitLog />
    <RegionWarning />
    <LiveLine />
    <SessionEndDialog />
    <Toasts />
  </>
)

/** After this time a loading screen shows a notice with a way out. */
const SLOW_MS = 60_000

function SlowNotice({ moving }: { moving: boolean }) {
  const slow = useDelayed(moving, SLOW_MS)
  return slow ? (
    <div className={styles.ribbon} role="alert">
      <div className={styles.slow}>
        <FormattedMessage id="slow.loading" />
        <Button onClick={() => void reloadWithNewBuild()} text="common.reload" />
      </div>
    </div>
  ) : null
}

/** A proper name, identical in every language. */
const PRODUCT = 'Furlong'
const YEAR = new Date().getFullYear()

const Footer = () => (
  <footer className={styles.footer}>
    <p>
      <FormattedMessage id="legal.notAdvice" tagName="strong" />
    </p>
    <FormattedMessage id="legal.notAffiliated" tagName="p" />
    <FormattedMessage id="legal.help" tagName="p" />
    <p className={styles.legal}>
      <TextLink to="/pages/login/protocal" text="legal.terms" />
      <TextLink to="/pages/login/protocal2" text="legal.privacy" />
      <TextLink to="/pages/user/contactUs" text="title.contact" />
      <FormattedMessage id="legal.copyright" values={{ year: YEAR, name: PRODUCT }} tagName="span" />
      <FormattedMessage id="legal.version" values={{ version: __BUILD_VERSION__ }} tagName="span" />
    </p>
  </footer>
)

const FOOTER = <Footer />

/** Prevents further navigation while a screen is loading. */
function lockLinks(event: React.MouseEvent): void {
  if (!(event.target instanceof Element) || !event.target.closest('a[href*="#"]')) return
  event.preventDefault()
  event.stopPropagation()
}

/** The hash router would treat a plain anchor as a route. */
function skipToMain(event: React.MouseEvent): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

interface PagesProps {
  className: string
  /** The longest form that fits. */
  names: 'long' | 'short' | 'with pictures'
}

function Pages({ className, names }: PagesProps) {
  const intl = useIntl()
  const signedIn = useToken() !== null
  const { pathname } = useLocation()
  return (
    <nav className={className} aria-label={intl.formatMessage({ id: 'nav.label' })}>
      {NAV.map(({ to, message, short = message, Icon }) => (
        <NavLink
          key={to}
          to={to}
          end
          className={styles.link}
          data-within={(to === ME && BELOW_ME.test(pathname)) || undefined}
        >
          {names === 'with pictures' ? <Icon aria-hidden="true" size={22} strokeWidth={1.8} /> : null}
          <FormattedMessage id={names === 'long' ? message : short} />
          {signedIn && to === RECORD ? (
            <Suspense fallback={null}>
              <MatchMark />
            </Suspense>
          ) : null}
        </NavLink>
      ))}
    </nav>
  )
}

/** Counts screen visits in `data-visit`, so that a client waiting for the next screen can detect it. */
function useVisits(): React.RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const location = useLocation()
  useEffect(() => {
    const { dataset } = main.current!
    dataset['visit'] = String(Number(dataset['visit'] ?? 0) + 1)
  }, [location])
  return main
}

/**
 * Moves the focus to the heading of a new screen as soon as it is rendered, unless the user or the screen has
 * moved the focus meanwhile. The first screen of a visit is left to the browser.
 */
function useHeadingFocus(main: React.RefObject<HTMLElement | null>): void {
  const { pathname, search } = useLocation()
  const params = new URLSearchParams(search)
  const screen = [pathname, params.get('id'), params.get('other')].join(' ')
  const last = useRef(screen)
  useEffect(() => {
    if (last.current === screen) return
    last.current = screen
    const element = main.current!
    const before = document.activeElement
    const focus = (): boolean => {
      const active = document.activeElement
      const isOnScreen = active !== element && element.contains(active)
      const isElsewhere = isOnScreen || (active !== before && active !== element && active !== document.body)
      const heading = isElsewhere ? null : element.querySelector<HTMLElement>('h1')
      if (!heading) return isElsewhere
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
      return true
    }
    if (focus()) return
    const observer = new MutationObserver(() => {
      if (focus()) observer.disconnect()
    })
    observer.observe(element, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [screen, main])
}

function usePageTitle(): void {
  const { pathname } = useLocation()
  const intl = useIntl()
  useEffect(() => {
    const page = pageAt(pathname)
    document.title = page ? `${intl.formatMessage({ id: page.title })} · ${PRODUCT}` : PRODUCT
  }, [pathname, intl])
}
