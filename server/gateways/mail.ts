import { createTransport } from 'nodemailer'
import { isEmailAddress } from '../../domain/email-address.ts'

interface Mail {
  /** The same for every attempt, so that a mailbox can recognise a repetition. */
  id: string
  to: string
  subject: string
  text: string
  /** The same as a page, with a picture that it shows by the name `picture`; absent: only the text. */
  rich?: { html: string; picture: Buffer | null }
  /** Address that ends these messages with one request (RFC 8058); `null`: a message that was asked for. */
  unsubscribe: string | null
}

/** Hands a message over. Throws `Refusal` if the address or the message is refused for good. */
export interface MailGateway {
  send(mail: Mail): Promise<void>
  close(): void
}

/** The receiving side refuses for good: another attempt would fail in the same way. */
export class Refusal extends Error {}

const TIMEOUT_MS = 10_000

/** The picture is in the message: one that is fetched would tell when it was opened. */
const richParts = ({ html, picture }: NonNullable<Mail['rich']>) => ({
  html,
  ...(picture === null
    ? {}
    : { attachments: [{ filename: 'profit.png', content: picture, cid: 'picture' }] }),
})

/** Sends through the operator's SMTP server, one message at a time over one connection. */
export function smtpGateway({ smtpUrl, from }: { smtpUrl: string; from: string }): MailGateway {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 1,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.replace(/^.*@|>.*$/g, '')
  return {
    send: async ({ id, to, subject, text, rich, unsubscribe }) => {
      if (!isEmailAddress(to)) throw new Refusal('not an address')
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          ...(rich === undefined ? {} : richParts(rich)),
          messageId: `<${id}@${domain}>`,
          headers: {
            // Out-of-office replies would come for every alert.
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribe === null
              ? {}
              : {
                  'List-Unsubscribe': `<${unsubscribe}>`,
                  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
                }),
          },
        })
      } catch (error) {
        const { responseCode } = error as { responseCode?: number }
        // 5xx: permanent (RFC 5321); 530 and 535 are about the operator's own sign-in.
        const isOurs = responseCode === 530 || responseCode === 535
        if (responseCode !== undefined && responseCode >= 500 && !isOurs)
          throw new Refusal(`SMTP ${responseCode}`, { cause: error })
        throw new Error(responseCode === undefined ? 'SMTP connection' : `SMTP ${responseCode}`, {
          cause: error,
        })
      }
    },
    close: () => transport.close(),
  }
}
