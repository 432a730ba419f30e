import { Download } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { PICTURE_FORMATS, type PictureFormat } from './picture.ts'
import styles from './plot.module.css'

/** A button below a chart that offers it as a picture in each format. */
export const PictureButtons = ({ onSave }: { onSave(format: PictureFormat): void }) => (
  <div className={styles.pictures}>
    <Popover
      button={<Download aria-hidden="true" size={14} />}
      label={useWord()('chart.save')}
      className={styles.picture}
    >
      {(close) =>
        PICTURE_FORMATS.map((format) => (
          <Button
            key={format}
            onClick={() => {
              close()
              onSave(format)
            }}
          >
            <FormattedMessage id={`chart.${format}`} />
          </Button>
        ))
      }
    </Popover>
  </div>
)
