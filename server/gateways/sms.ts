import type { Language } from '../../domain/languages.ts'

export interface SmsMessage {
  /** Phone number in E.164 format. */
  phone: string
  text: string
  code: string
  language: Language
}

/** Sends a text to a phone. Throws if it could not be submitted. */
export interface SmsGateway {
  readonly name: 'console' | 'http'
  send(message: SmsMessage): Promise<void>
}

/**
 * Writes the text to the server's log: for development, and for small installations where the operator reads
 * it out.
 */
export const consoleSms = (print: (line: string) => void): SmsGateway => ({
  name: 'console',
  send: async ({ phone, text }) => print(`text to ${phone}: ${text}`),
})

const TIMEOUT_MS = 10_000

/** Posts `{phone, text}` to the operator's URL, with the configured token, if any, as a bearer token. */
export const httpSms = ({ url, token }: { url: string; token: string | undefined }): SmsGateway => ({
  name: 'http',
  send: async ({ phone, text }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ phone, text }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`the SMS gateway answered ${response.status}`)
  },
})
