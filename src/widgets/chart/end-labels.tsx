import { Fragment } from 'react'
import type { End } from './ends.ts'
import type { Series } from './series.ts'
import { OUTLINES, STYLES } from './marks.ts'
import { tokenColour, usePalette } from './token-colour.ts'
import styles from './chart.module.css'

/** A piece of a line, or a point, as the chart draws it. */
function Sample({ series: { kind, tone, open } }: { series: Series }) {
  const { token, dash, symbol } = STYLES[tone]
  const color = tokenColour(token)
  return (
    <svg className={styles.sample} width="22" height="10" viewBox="0 0 22 10" aria-hidden="true">
      {kind === 'points' ? null : (
        <line x1="0" y1="5" x2="22" y2="5" stroke={color} strokeWidth="2" strokeDasharray={dash.join(' ')} />
      )}
      {kind === 'points' || kind === 'steps' ? (
        <path
          d={OUTLINES[symbol]}
          transform="translate(6 0)"
          fill={open ? 'none' : color}
          stroke={open ? color : 'none'}
          strokeWidth="2"
        />
      ) : null}
    </svg>
  )
}

interface EndLabelsProps {
  ends: readonly End[]
  series: readonly Series[]
  emphasized: number | null
  onEmphasize(index: number | null): void
}

/**
 * The names and last values of a chart's lines, beside their ends or, where the chart is narrow, below it. The line of the
 * one under the pointer or with the focus stands out.
 */
export function EndLabels({ ends, series, emphasized, onEmphasize }: EndLabelsProps) {
  usePalette()
  if (ends.length === 0) return null
  return (
    <ul className={styles.ends}>
      {ends.map((end, at) => {
        const texts = (
          <>
            {end.series.map((index, line) => (
              <Fragment key={index}>
                <Sample series={series[index]!} /> <span>{end.names[line]}</span>{' '}
              </Fragment>
            ))}
            <span className={styles.value}>{end.text}</span>
          </>
        )
        return (
          <li
            key={end.names[0]}
            data-dimmed={emphasized !== null && emphasized !== at}
            style={{ '--top': `${end.top}px` } as React.CSSProperties}
          >
            {ends.length === 1 ? (
              <span className={styles.end}>{texts}</span>
            ) : (
              <button
                type="button"
                className={styles.end}
                title={end.names.join(' ')}
                onPointerEnter={({ pointerType }) => pointerType === 'mouse' && onEmphasize(at)}
                onPointerLeave={({ pointerType }) => pointerType === 'mouse' && onEmphasize(null)}
                onFocus={() => onEmphasize(at)}
                onBlur={() => onEmphasize(null)}
              >
                {texts}
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
