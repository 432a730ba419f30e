import Plotly from 'plotly.js/lib/core'
import bar from 'plotly.js/lib/bar'
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import createPlotlyComponent from 'react-plotly.js/factory'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { chartPicture } from './download.ts'
import { figureOf } from './figure.ts'
import { labelStep, withEvery } from './frame.ts'
import type { PictureFormat } from './picture.ts'
import type { ChartProps } from './series.ts'
import { usePalette } from './token-colour.ts'

Plotly.register([bar])
/** Not drawn again for another emphasis, which is only a style of what is drawn. */
const PlotlyChart = memo(createPlotlyComponent(Plotly))

interface PlotProps extends Omit<ChartProps, 'label' | 'picture'> {
  picture: ChartProps['picture']
  /** Saves the chart in this format. */
  requested: PictureFormat | null
  /** Indexes of the series that stand out, or none does. */
  emphasized: readonly number[] | null
  /** The pointer is at a value of a series, or of none. */
  onPoint(series: number | null): void
  onSaved(): void
}

const DIMMED = '0.2'

/** The width of the place of a chart, in pixels; `null` before it is known. */
function usePlace() {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState<number | null>(null)
  useLayoutEffect(() => {
    const element = place.current!
    const measure = (): void => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { place, width }
}

/** A drawn chart in the chart library. */
export default function Plot(props: PlotProps) {
  const { series, x: given, y, height, picture, requested, emphasized, onPoint, onSaved } = props
  const palette = usePalette()
  const { place, width } = usePlace()
  const step = labelStep({ x: given, y }, width ?? 0)
  const x = useMemo(() => withEvery(step, given), [step, given])
  const figure = useMemo(() => {
    // Recomputed for each palette, because the library cannot read custom properties.
    void palette
    return figureOf({ series, x, y, height })
  }, [series, x, y, height, palette])
  useEffect(() => {
    for (const [at, line] of (
      place.current?.querySelectorAll<SVGElement>('.scatterlayer > .trace') ?? []
    ).entries())
      line.style.opacity = emphasized === null || emphasized.includes(at) ? '' : DIMMED
  }, [place, emphasized, figure])
  const onHover = useCallback(
    ({ points }: { points: readonly { curveNumber: number }[] }) => onPoint(points[0]?.curveNumber ?? null),
    [onPoint],
  )
  const onUnhover = useCallback(() => onPoint(null), [onPoint])
  useEffect(() => {
    if (requested === null || !picture) return
    onSaved()
    void chartPicture({ ...figure, series, x, y }, picture, requested).then((contents) =>
      saveFile(`${picture.name}.${requested}`, contents),
    )
  }, [requested, picture, figure, series, x, y, onSaved])
  return (
    <div ref={place}>
      {width === null ? null : (
        <PlotlyChart
          data={figure.data}
          layout={figure.layout}
          config={CONFIG}
          useResizeHandler
          style={STYLE}
          onHover={onHover}
          onUnhover={onUnhover}
        />
      )}
    </div>
  )
}

const STYLE = { width: '100%' }
/** The cloud button of the mode bar would send data to another site. */
const CONFIG = { displayModeBar: false, showSendToCloud: false, responsive: true } as const
