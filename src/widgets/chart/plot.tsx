import Plotly from 'plotly.js/lib/core'
import bar from 'plotly.js/lib/bar'
import { useMemo } from 'react'
import createPlotlyComponent from 'react-plotly.js/factory'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { tokenColour, useDark } from '../../ui/behaviour/theme.ts'
import { chartPicture } from './download.ts'
import { PictureButtons } from './picture-buttons.tsx'
import { figureOf, type Axis, type Series } from './figure.ts'
import type { ChartPicture, PictureFormat } from './picture.ts'
import styles from './plot.module.css'

Plotly.register([bar])
const PlotlyChart = createPlotlyComponent(Plotly)

export interface PlotProps {
  label: string
  series: readonly Series[]
  x: Axis
  y: Axis
  height: number
  /** Whether to show the legend; by default it is shown for several equal series. */
  legend?: boolean
  /** Offers the chart as a picture. */
  picture?: ChartPicture
}

export default function Plot({ label, series, x, y, height, legend, picture }: PlotProps) {
  const dark = useDark()
  const figure = useMemo(() => {
    // Recomputed for each theme, because charts cannot read custom properties.
    void dark
    return figureOf({ series, x, y, height, legend })
  }, [series, x, y, height, legend, dark])
  const chart = (
    // The library draws shortly after mounting, so the space is reserved.
    <div role="img" aria-label={label} style={{ minHeight: height }}>
      <PlotlyChart data={figure.data} layout={figure.layout} config={CONFIG} useResizeHandler style={STYLE} />
    </div>
  )
  if (!picture) return chart
  const save = async (format: PictureFormat): Promise<void> => {
    const colours = { ink: tokenColour('ink-soft'), paper: tokenColour('surface') }
    saveFile(`${picture.name}.${format}`, await chartPicture(figure, picture, format, colours))
  }
  return (
    <div className={styles.withPicture}>
      {chart}
      <PictureButtons onSave={(format) => void save(format)} />
    </div>
  )
}

const STYLE = { width: '100%' }
/** The cloud button of the mode bar would send data to another site. */
const CONFIG = { displayModeBar: false, showSendToCloud: false, responsive: true } as const
