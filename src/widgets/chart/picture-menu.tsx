import { Download, Ellipsis } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { PICTURE_FORMATS, type ChartPicture } from './picture.ts'
import styles from './picture-menu.module.css'

/** The menu of a panel with a chart: it saves the chart as a picture in each format. */
export const PictureMenu = ({ picture }: { picture: Pick<ChartPicture, 'saver'> }) => (
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
)
