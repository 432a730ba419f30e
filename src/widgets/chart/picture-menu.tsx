import { Download, Ellipsis } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { PICTURE_FORMATS, type ChartPicture } from './picture.ts'
import styles from './picture-menu.module.css'

interface PictureMenuProps {
  picture: Pick<ChartPicture, 'saver'>
  /** The chart still shows the filter before: its picture would be called by the filter that was asked for. */
  stale?: boolean
}

/** The menu of a panel with a chart: it saves the chart as a picture in each format. */
export const PictureMenu = ({ picture, stale = false }: PictureMenuProps) => (
  <span className={styles.place} inert={stale}>
    <Popover
      button={<Ellipsis aria-hidden="true" size={16} />}
      label={useWord()('chart.save')}
      className={styles.menu}
    >
      {(close) =>
        PICTURE_FORMATS.map((format) => (
          <Button
            key={format}
            onClick={() => {
              close()
              picture.saver.current?.(format)
            }}
          >
            <Download aria-hidden="true" size={16} />
            <FormattedMessage id={`chart.${format}`} />
          </Button>
        ))
      }
    </Popover>
  </span>
)
