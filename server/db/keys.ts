import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Keyed hashes, and encryption of stored values such as bank card numbers. */
export interface Keys {
  /** A keyed hash that cannot be computed, or searched by guessing, without the secret. */
  hash(purpose: string, value: string): string
  /**
   * Encrypts a text with AES-256-GCM; `label` binds it to its place, so that it cannot be copied into another
   * row.
   */
  seal(label: string, text: string): string
  /** Decrypts a text. Throws if it was changed, or encrypted with another key or for another label. */
  unseal(label: string, sealed: string): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Keys derived from the operator's secrets; `cardKey` encrypts bank card numbers. */
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

/** 256 random bits as 43 characters, for a token or a one-time code. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** The stored hash of a token, so that a copy of the database reveals no token. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')
