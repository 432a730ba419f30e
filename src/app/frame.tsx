import { useEffect } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { NavLink, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom'
import { useManifest } from '../data/use-region.ts'
import { AccountTool } from '../features/session/account-tool.tsx'
import styles from './frame.module.css'
import { LanguageTool, RegionTool, ThemeTool } from './frame-tools.tsx'

const PAGES = [
  { to: '/', message: 'nav.home' },
  { to: '/pages/race/WinLossRecord', message: 'nav.record' },
] as const

/** What every screen stands in: header, navigation, the notices that are always there. */
export function Frame() {
  const { data: manifest } = useManifest()
  const moving = useNavigation().state === 'loading'
  usePageTitle()
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main" onClick={skipToMain}>
        <FormattedMessage id="nav.skip" />
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <NavLink className={styles.brand} to="/">
            <img src="./icon.svg" alt="" />
            {PRODUCT}
          </NavLink>
          <Pages className={styles.nav!} locked={moving} />
          <AccountTool />
          <div className={styles.tools}>
            <RegionTool />
            <LanguageTool />
            <ThemeTool />
          </div>
        </div>
        {moving ? <div className={styles.progress} /> : null}
        {manifest?.demonstration ? (
          <div className={styles.ribbon}>
            <p>
              <FormattedMessage id="common.demonstration" />
            </p>
          </div>
        ) : null}
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <footer className={styles.footer}>
        <p>
          <strong>
            <FormattedMessage id="legal.notAdvice" />
          </strong>
        </p>
        <p>
          <FormattedMessage id="legal.notAffiliated" />
        </p>
        <p>
          <FormattedMessage id="legal.help" />
        </p>
      </footer>
      <Pages className={styles.bottom!} locked={moving} />
      <ScrollRestoration />
    </div>
  )
}

/** A proper name: the same in every language. */
const PRODUCT = 'Furlong'

/** Behind a hash router a plain anchor would be taken for a route. */
function skipToMain(event: React.MouseEvent): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function Pages({ className, locked }: { className: string; locked: boolean }) {
  const intl = useIntl()
  return (
    <nav className={className} aria-label={intl.formatMessage({ id: 'nav.label' })}>
      {PAGES.map(({ to, message }) => (
        <NavLink
          key={to}
          to={to}
          end
          className={styles.link}
          onClick={(event) => {
            if (locked) event.preventDefault()
          }}
        >
          <FormattedMessage id={message} />
        </NavLink>
      ))}
    </nav>
  )
}

function usePageTitle(): void {
  const { pathname } = useLocation()
  const intl = useIntl()
  useEffect(() => {
    const page = PAGES.find(({ to }) => to === pathname && to !== '/')
    document.title = page ? `${intl.formatMessage({ id: page.message })} · ${PRODUCT}` : PRODUCT
  }, [pathname, intl])
}
