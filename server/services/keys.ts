import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Keyed hashes and sealing: what the server keeps of addresses, codes and card numbers. */
export interface Keys {
  /** A keyed hash that nobody without the secret can make or search by guessing. */
  hash(purpose: string, value: string): string
  /** Seals a text with AES-256-GCM; `label` binds it to its place, so that one row's text cannot stand in another's. */
  seal(label: string, text: string): string
  /** Throws when the text was changed, sealed with another key, or for another place. */
  unseal(label: string, sealed: string): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Keys from the operator's secrets; `cardKey` is the one that bank cards are sealed with. */
export function makeKeys(secret: string, cardKey: string): Keys {
  const hashKey = Buffer.from(hkdfSync('sha256', secret, '', 'furlong hash', 32))
  const sealKey = Buffer.from(hkdfSync('sha256', cardKey, '', 'furlong card', 32))
  return {
    hash: (purpose, value) =>
      createHmac('sha256', hashKey).update(`${purpose}\n${value}`).digest('base64url'),
    seal: (label, text) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(label))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    unseal: (label, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url')
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const cipher = createDecipheriv('aes-256-gcm', sealKey, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(label))
        .setAuthTag(tag)
      return Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()]).toString(
        'utf8',
      )
    },
  }
}

/** 256 random bits as 43 characters: a token, a one-time code. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a token: its own hash, so that the database gives nobody a token. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')
