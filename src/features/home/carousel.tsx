import { useQuery } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { adlist } from '../../../contract/api/site.ts'
import { storedQueryFor } from '../../data/client/response-cache.ts'
// The first banner is the page's own picture, which is painted before the code runs.
import odds from './banners/odds.svg?inline'
import styles from './carousel.module.css'

/** How long a banner is shown (specification section 2); the 500 ms transition is in the style sheet. */
const INTERVAL_MS = 5000

interface Banner {
  id: string
  url: string
  link: string | null
  /** Text of our own banners; the operator's have their text in the picture. */
  message: string | null
}

const OWN: readonly Banner[] = [
  { id: 'finish', url: './banner.svg', link: '#/pages/race/racehome', message: 'banner.tips' },
  { id: 'odds', url: odds, link: '#/pages/race/WinLossRecord', message: 'banner.record' },
]

/**
 * Rotates banners: the operator's, or two of our own. Rotation pauses while the pointer is over them, and if
 * the user prefers reduced motion.
 */
export function Carousel() {
  const intl = useIntl()
  const { data } = useQuery(storedQueryFor('_ads', adlist, { position: 'mobile_client_home' }))
  const ads = (data ?? []).map(({ id, adUrl, link }): Banner => ({
    id,
    // A list of addresses, of which the first is used.
    url: adUrl.split(',')[0]!.trim(),
    link,
    message: null,
  }))
  const banners = ads.length > 0 ? ads : OWN
  const [at, setAt] = useState(0)
  const [paused, setPaused] = useState(() => matchMedia('(prefers-reduced-motion: reduce)').matches)
  const [holding, setHolding] = useState(false)
  const count = banners.length
  useEffect(() => {
    if (paused || holding || count < 2) return
    const timer = setInterval(() => setAt((now) => (now + 1) % count), INTERVAL_MS)
    return () => clearInterval(timer)
  }, [paused, holding, count])
  const Icon = paused ? Play : Pause
  return (
    // Pausing on hover does not make this a control: the dots and the pause button are the controls.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={`${styles.carousel} ${banners === OWN ? styles.own : ''}`}
      aria-roledescription="carousel"
      aria-label={intl.formatMessage({ id: 'banner.label' })}
      onPointerEnter={() => setHolding(true)}
      onPointerLeave={() => setHolding(false)}
      onFocus={() => setHolding(true)}
      onBlur={() => setHolding(false)}
    >
      {banners.map((banner, index) => (
        <div
          key={banner.id}
          className={`${styles.slide} ${index === at % count ? styles.shown : ''}`}
          inert={index !== at % count}
        >
          <Slide banner={banner} first={index === 0} />
        </div>
      ))}
      {count > 1 ? (
        <div className={styles.controls}>
          {banners.map(({ id }, index) => (
            <button
              key={id}
              type="button"
              className={styles.dot}
              aria-label={intl.formatMessage({ id: 'banner.show' }, { number: index + 1, count })}
              aria-current={index === at % count}
              onClick={() => setAt(index)}
            />
          ))}
          <button
            type="button"
            className={styles.pause}
            aria-label={intl.formatMessage({ id: paused ? 'banner.play' : 'banner.pause' })}
            onClick={() => setPaused(!paused)}
          >
            <Icon aria-hidden="true" size={16} />
          </button>
        </div>
      ) : null}
    </section>
  )
}

function Slide({ banner, first }: { banner: Banner; first: boolean }) {
  const intl = useIntl()
  const alt = banner.message === null ? intl.formatMessage({ id: 'banner.label' }) : ''
  const picture = (
    <>
      <img
        src={banner.url}
        alt={alt}
        width={1280}
        height={400}
        loading={first ? 'eager' : 'lazy'}
        decoding="async"
      />
      {banner.message === null ? null : (
        <span className={styles.words}>
          <FormattedMessage id={banner.message} />
        </span>
      )}
    </>
  )
  return banner.link === null ? picture : <a href={banner.link}>{picture}</a>
}
