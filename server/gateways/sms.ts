import { readFileSync, renameSync, writeFileSync } from 'node:fs'
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
  readonly name: 'console' | 'file' | 'http' | 'off'
  send(message: SmsMessage): Promise<void>
}

/** Writes the text to the output of the server, for its person to read: not in production, where output is stored. */
export const consoleSms = (print: (line: string) => void): SmsGateway => ({
  name: 'console',
  send: async ({ phone, text }) => print(`text to ${phone}: ${text}`),
})

/** File in the data folder with the newest texts, in production without a gateway. */
export const TEXTS_FILE = 'texts'
const TEXTS_KEPT_MS = 3_600_000

/**
 * Writes the texts of the last hour into a file that only its owner may read: for small installations in production, whose
 * operator reads them out. Nothing is printed, because output is stored.
 */
export const fileSms = (file: string, now: () => Date): SmsGateway => ({
  name: 'file',
  send: async ({ phone, text }) => {
    const since = new Date(now().getTime() - TEXTS_KEPT_MS).toISOString()
    const kept = linesOf(file).filter((line) => line > since)
    const lines = [...kept, `${now().toISOString()} ${phone} ${text}`]
    writeFileSync(`${file}.new`, `${lines.join('\n')}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  },
})

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean)
  } catch {
    // The first text makes the file.
    return []
  }
}

/** For commands in production where neither a gateway nor the console is set up. */
export const noSms: SmsGateway = {
  name: 'off',
  send: async () => {
    throw new Error('no SMS gateway is set up')
  },
}

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
