import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/panel.tsx'
import type { PlotProps } from './plot.tsx'

const Plot = lazy(() => import('./plot.tsx'))

/** The line below a chart that offers it as a picture. */
const PICTURES_HEIGHT = 24

/** A chart; its library is a chunk of its own and comes with the first one. */
export function Chart(props: PlotProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height + (props.picture ? PICTURES_HEIGHT : 0)} />}>
      <Plot {...props} />
    </Suspense>
  )
}
