import type { BucketSettings } from '../process/env.ts'
import { FurlongError } from '../../domain/errors.ts'

/** Bucket operations. Every call throws `bucket-failed` if the service is unreachable or refuses. */
export type Bucket = Awaited<ReturnType<typeof openBucket>>

const CONNECT_TIMEOUT_MS = 3000
const REQUEST_TIMEOUT_MS = 60_000
const ATTEMPTS = 3

/** Creates a client, loading the S3 library only if a bucket is configured. Sends no request yet. */
export async function openBucket(settings: BucketSettings) {
  const { endpoint, region, keyId, secret, name, prefix } = settings
  const s3 = await import('@aws-sdk/client-s3')
  const client = new s3.S3Client({
    region,
    credentials: { accessKeyId: keyId, secretAccessKey: secret },
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    // Not every compatible service supports the newer checksums; file names contain their hash anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  })
  const full = (key: string): string => (prefix === '' ? key : `${prefix}/${key}`)
  const own = (key: string): string => (prefix === '' ? key : key.slice(prefix.length + 1))
  const put = (key: string, content: Buffer, condition: { IfNoneMatch?: string } = {}) =>
    client.send(new s3.PutObjectCommand({ Bucket: name, Key: full(key), Body: content, ...condition }))
  return {
    /** Writes an object, replacing an existing one. */
    put: async (key: string, content: Buffer): Promise<void> => {
      await put(key, content).catch(failed(`PUT ${key}`))
    },
    /** Creates an object; `false` if it exists already. Of concurrent calls at most one succeeds. */
    create: async (key: string, content: Buffer): Promise<boolean> => {
      try {
        await put(key, content, { IfNoneMatch: '*' })
        return true
      } catch (error) {
        // 409 means that two concurrent requests conflicted.
        if (statusOf(error) === 412 || statusOf(error) === 409) return false
        return failed(`PUT ${key}`)(error)
      }
    },
    /** An object's content; `null` if it does not exist. */
    get: async (key: string): Promise<Buffer | null> => {
      try {
        const { Body } = await client.send(new s3.GetObjectCommand({ Bucket: name, Key: full(key) }))
        return Buffer.from(await Body!.transformToByteArray())
      } catch (error) {
        // A missing bucket also answers 404, under another error name.
        if (statusOf(error) === 404 && (error as Error).name === 'NoSuchKey') return null
        return failed(`GET ${key}`)(error)
      }
    },
    /** Objects whose keys begin with `start` and sort after the key `after`, ordered by key. */
    list: async (start: string, after?: string) => {
      const found: { key: string; changedAt: Date }[] = []
      let page: string | undefined
      do {
        const question = new s3.ListObjectsV2Command({
          Bucket: name,
          Prefix: full(start),
          StartAfter: after === undefined ? undefined : full(after),
          ContinuationToken: page,
        })
        const answer = await client.send(question).catch(failed(`LIST ${start}`))
        for (const { Key, LastModified } of answer.Contents ?? [])
          found.push({ key: own(Key!), changedAt: LastModified! })
        page = answer.NextContinuationToken
      } while (page !== undefined)
      return found
    },
    remove: async (keys: readonly string[]): Promise<void> => {
      // One at a time: a multi-object delete requires a checksum that not every service supports.
      for (const key of keys)
        await client
          .send(new s3.DeleteObjectCommand({ Bucket: name, Key: full(key) }))
          .catch(failed(`DELETE ${key}`))
    },
    close: (): void => client.destroy(),
  }
}

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode

const failed =
  (what: string) =>
  (error: unknown): never => {
    const { name, message } = error as Error
    throw new FurlongError('bucket-failed', { what, reason: message || name }, { cause: error })
  }
