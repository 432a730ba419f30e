import { useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { useNavigate } from 'react-router-dom'
import { logout } from '../../../contract/api/account.ts'
import { call } from '../../data/client/call.ts'
import { deleteDeviceWork, findDeviceWork, type DeviceWork } from '../../data/client/device-work.ts'
import { storeToken } from '../../data/client/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/panel.tsx'

/**
 * Signs out, whatever the server's response. If there is work on the device, which the next person could read, it asks
 * first whether it should go too; `dialog` is to be rendered. While it is `busy`, nothing more is done.
 */
export function useSignOut(): { leave(): void; busy: boolean; dialog: ReactNode } {
  const navigate = useNavigate()
  const [work, setWork] = useState<readonly DeviceWork[]>([])
  const [failed, setFailed] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const once = (step: () => Promise<void>): void => {
    if (busy) return
    setBusy(true)
    void step().finally(() => setBusy(false))
  }
  const signOut = async (): Promise<void> => {
    await call(logout, {}).catch(() => undefined)
    storeToken(null)
    await navigate('/pages/common/exit')
  }
  const deleteAndSignOut = async (): Promise<void> => {
    setFailed(null)
    try {
      await deleteDeviceWork()
    } catch (error) {
      setFailed(error)
      return
    }
    await signOut()
    // The page still has the work in its memory.
    globalThis.location.reload()
  }
  const close = (): void => setWork([])
  const dialog = (
    <Dialog
      open={work.length > 0}
      onClose={close}
      title={<FormattedMessage id="signOut.title" />}
      actions={
        <>
          <Button busy={busy} onClick={close} text="common.cancel" />
          <Button busy={busy} onClick={() => once(signOut)} text="signOut.keep" />
          <Button primary busy={busy} onClick={() => once(deleteAndSignOut)} text="signOut.delete" />
        </>
      }
    >
      <FormattedMessage id="signOut.about" tagName="p" />
      <ul>
        {work.map((kind) => (
          <FormattedMessage key={kind} id={`signOut.${kind}`} tagName="li" />
        ))}
      </ul>
      {failed === null ? null : <ErrorNotice error={failed} />}
    </Dialog>
  )
  const leave = (): void =>
    once(async () => {
      const found = await findDeviceWork()
      if (found.length === 0) await signOut()
      else setWork(found)
    })
  return { leave, busy, dialog }
}
