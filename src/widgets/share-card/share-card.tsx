import { ImageDown } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { dayIn } from '../../../domain/region.ts'
import { baseUrl } from '../../data/client/api-client.ts'
import { useManifest } from '../../data/use-region.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { cardPicture, type CardContent } from './draw-card.ts'
import { shareFile } from './share-file.ts'

interface ShareCardProps {
  /** Of the file, without its extension. */
  name: string
  /** Made when it is shared, of what the page shows then. */
  content(): CardContent
}

/** Shares what a page shows as a picture, which is drawn on the device. */
export default function ShareCard(props: ShareCardProps) {
  return (
    <ExtraTexts part="picture" waiting={null}>
      <Share {...props} />
    </ExtraTexts>
  )
}

function Share({ name, content }: ShareCardProps) {
  const intl = useIntl()
  const format = useFormat()
  const isInvented = useManifest().data?.demonstration === true
  const [busy, setBusy] = useState(false)
  const share = async (): Promise<void> => {
    setBusy(true)
    try {
      const file = await cardPicture(name, content(), {
        // Without a query: the link in the share dialog tells who invites, a picture does not.
        site: baseUrl().replace(/^https?:\/\//, ''),
        made: format.day(dayIn(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date())),
        notices: [...(isInvented ? ['picture.invented'] : []), 'legal.notAdvice'].map((id) =>
          intl.formatMessage({ id }),
        ),
        fontFamily: getComputedStyle(document.body).fontFamily,
      })
      if ((await shareFile(file)) === 'saved') showToast(intl.formatMessage({ id: 'picture.saved' }), 'good')
    } catch {
      showToast(intl.formatMessage({ id: 'picture.failed' }), 'bad')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={busy} onClick={() => void share()}>
      <ImageDown aria-hidden="true" size={16} />
      <FormattedMessage id="picture.share" />
    </Button>
  )
}
