import { resolve } from 'node:path'
import { z } from 'zod'
import { FurlongError } from '../../domain/errors.ts'

const Environment = z.object({
  FURLONG_DATA: z.string().min(1).default('data'),
  PORT: z.coerce.number().int().min(0).max(65535).default(4170),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  FURLONG_STANDBY_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  NODE_ENV: z.enum(['development', 'production', 'test']).optional(),
  FURLONG_SECRET: z.string().min(32).optional(),
  FURLONG_CARD_KEY: z.string().min(32).optional(),
  FURLONG_SITE_URL: z.url({ protocol: /^https?$/ }).optional(),
  FURLONG_TRUST_PROXY: z.string().min(1).optional(),
  FURLONG_COUNTRY_HEADER: z
    .string()
    .regex(/^[a-z0-9-]+$/i)
    .default('cf-ipcountry'),
  FURLONG_SMS_URL: z.url({ protocol: /^https?$/ }).optional(),
  FURLONG_SMS_TOKEN: z.string().min(1).optional(),
  FURLONG_SMS: z.enum(['console']).optional(),
  FURLONG_TEXTS_PER_HOUR: z.coerce.number().int().min(1).default(1000),
  FURLONG_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  FURLONG_MAIL_FROM: z.string().min(3).optional(),
  FURLONG_PUSH_SERVICES: z.string().min(1).optional(),
  FURLONG_ALERTS_PER_DAY: z.coerce.number().int().min(1).default(60),
  FURLONG_PAYMENT: z.enum(['sandbox', 'stripe']).optional(),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  STRIPE_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  FURLONG_READS_PER_MINUTE: z.coerce.number().int().min(1).default(3000),
  FURLONG_SOCKETS_PER_ADDRESS: z.coerce.number().int().min(1).default(100),
  FURLONG_ANALYTICS_MEMORY_MIB: z.coerce.number().int().min(1).default(768),
  FURLONG_ANALYTICS_SECONDS: z.coerce.number().min(0.1).max(50).default(15),
  FURLONG_ANALYTICS_ROWS: z.coerce.number().int().min(1).default(20_000),
  FURLONG_HTTPS: z.enum(['0', '1']).default('0'),
  FURLONG_WORKER: z.enum(['own', 'none']).default('own'),
  FURLONG_DEMONSTRATION: z.enum(['live', 'still']).default('live'),
  FURLONG_METRICS_TOKEN: z.string().min(16).optional(),
  FURLONG_S3_BUCKET: z.string().min(1).optional(),
  FURLONG_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  FURLONG_S3_REGION: z.string().min(1).default('us-east-1'),
  FURLONG_S3_KEY_ID: z.string().min(1).optional(),
  FURLONG_S3_SECRET: z.string().min(1).optional(),
  FURLONG_S3_PREFIX: z.string().default(''),
  FURLONG_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
})

/** Names of the environment variables that are read. */
export const VARIABLES: readonly string[] = Object.keys(Environment.shape)

/** The settings listed in `docs/operating.md`. Throws `bad-arguments` naming each invalid variable. */
export function readSettings(variables: NodeJS.ProcessEnv = process.env) {
  // An empty variable counts as unset: compose files and shells write `PORT=`.
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const reason = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    throw new FurlongError('bad-arguments', { reason })
  }
  const { data } = parsed
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = data
  const hasStripe = secretKey !== undefined && webhookSecret !== undefined
  if (data.FURLONG_PAYMENT === 'stripe' && !hasStripe) {
    throw new FurlongError('bad-arguments', {
      reason: 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are needed',
    })
  }
  if (data.FURLONG_STANDBY_URL !== undefined && data.DATABASE_URL === undefined)
    throw new FurlongError('bad-arguments', { reason: 'FURLONG_STANDBY_URL needs DATABASE_URL' })
  const mode = data.NODE_ENV ?? 'plain'
  // In production, a page that approves every payment must be enabled explicitly.
  const fallback = hasStripe ? 'stripe' : mode === 'production' ? 'off' : 'sandbox'
  return {
    /** Absolute path of the folder for everything written at run time. */
    dataFolder: resolve(data.FURLONG_DATA),
    port: data.PORT,
    host: data.HOST,
    /** If absent, the embedded database in the data folder is used. */
    databaseUrl: data.DATABASE_URL,
    /**
     * A streaming standby of the database: shared lists are read from it, and it becomes the database once
     * promoted.
     */
    standbyUrl: data.FURLONG_STANDBY_URL,
    /** `development` puts verification codes into responses and serves `/docs`; `production` needs secrets. */
    mode,
    /** If absent, secrets are generated once and stored in the data folder. */
    secret: data.FURLONG_SECRET,
    cardKey: data.FURLONG_CARD_KEY,
    /** Public URL of the site, without a trailing slash; if absent, the URL at which the server listens. */
    siteUrl: data.FURLONG_SITE_URL?.replace(/\/+$/, ''),
    /** Addresses of the proxies in front, in the format of fastify's `trustProxy`. */
    trustProxy: data.FURLONG_TRUST_PROXY,
    /** Header in which a CDN sends the country. */
    countryHeader: data.FURLONG_COUNTRY_HEADER.toLowerCase(),
    /** The gateway of texts; `console`: the operator reads them out; `off`: production without either does not start. */
    sms: smsOf(data, mode),
    /** Codes texted within an hour to devices on which nobody has signed in. */
    textsPerHour: data.FURLONG_TEXTS_PER_HOUR,
    /** How alerts leave the site. */
    alerts: alertsOf(data),
    payment: data.FURLONG_PAYMENT ?? fallback,
    stripe: hasStripe ? { secretKey, webhookSecret, apiUrl: data.STRIPE_API_URL } : undefined,
    /** Requests that one address may make per minute, and sockets that it may have open. */
    readsPerMinute: data.FURLONG_READS_PER_MINUTE,
    socketsPerAddress: data.FURLONG_SOCKETS_PER_ADDRESS,
    /** Limits of the process that answers analytics queries. */
    analytics: {
      /** Applies to each set of files; what exceeds it is written to the disk. */
      memoryMib: data.FURLONG_ANALYTICS_MEMORY_MIB,
      seconds: data.FURLONG_ANALYTICS_SECONDS,
      rows: data.FURLONG_ANALYTICS_ROWS,
    },
    /** Whether the proxy in front uses TLS, so that browsers are told to use HTTPS only. */
    https: data.FURLONG_HTTPS === '1',
    /** Whether the server starts a worker process for jobs; with `none`, workers run elsewhere. */
    worker: data.FURLONG_WORKER,
    /** Whether the server runs the demonstration's races, if the database holds them. */
    demonstration: data.FURLONG_DEMONSTRATION,
    /** Bearer token required by `/metrics`; if absent, only this machine may read it. */
    metricsToken: data.FURLONG_METRICS_TOKEN,
    /** Bucket through which machines share dataset files; if absent, they are only in the data folder. */
    bucket: bucketOf(data),
    logLevel: data.FURLONG_LOG_LEVEL,
  }
}

export type Settings = ReturnType<typeof readSettings>
export type AnalyticsLimits = Settings['analytics']
export type AlertSettings = Settings['alerts']
export type BucketSettings = NonNullable<Settings['bucket']>

/** Where texts go. In production, codes must not end where somebody reads output unless the operator says so. */
function smsOf(
  { FURLONG_SMS_URL: url, FURLONG_SMS_TOKEN: token, FURLONG_SMS: wanted }: z.output<typeof Environment>,
  mode: 'development' | 'production' | 'test' | 'plain',
): { url: string; token: string | undefined } | 'console' | 'off' {
  if (url !== undefined) return { url, token }
  return wanted === 'console' || mode !== 'production' ? 'console' : 'off'
}

/** Settings of the alerts that leave the site. */
function alertsOf({
  FURLONG_SMTP_URL: smtpUrl,
  FURLONG_MAIL_FROM: from,
  FURLONG_PUSH_SERVICES: services,
  FURLONG_ALERTS_PER_DAY: perDay,
  FURLONG_SITE_URL: siteUrl,
}: z.output<typeof Environment>) {
  if ((smtpUrl === undefined) !== (from === undefined))
    throw new FurlongError('bad-arguments', { reason: 'FURLONG_SMTP_URL and FURLONG_MAIL_FROM are needed' })
  return {
    /** The server that takes e-mail, and the sender's address; without it, e-mail is not offered. */
    mail: smtpUrl !== undefined && from !== undefined ? { smtpUrl, from } : undefined,
    /** Origins of push services that the browsers of readers use, besides the well-known ones. */
    pushServices: (services ?? '').split(',').filter(Boolean),
    /** Most alerts that a customer gets within a day on each channel. */
    perDay,
    /** Public URL of the site, to which alerts lead, without a trailing slash; if absent, that of the running server. */
    siteUrl: siteUrl?.replace(/\/+$/, ''),
  }
}

/** Connection settings of an S3-compatible bucket. */
function bucketOf(data: z.output<typeof Environment>) {
  const { FURLONG_S3_BUCKET: name, FURLONG_S3_KEY_ID: keyId, FURLONG_S3_SECRET: secret } = data
  if (name === undefined) return undefined
  // Without keys, the client would look for credentials in the environment; only configured ones may be used.
  if (keyId === undefined || secret === undefined)
    throw new FurlongError('bad-arguments', {
      reason: 'FURLONG_S3_BUCKET needs FURLONG_S3_KEY_ID and FURLONG_S3_SECRET',
    })
  return {
    name,
    keyId,
    secret,
    /** URL of the service; if absent, Amazon's endpoint of the region. */
    endpoint: data.FURLONG_S3_ENDPOINT,
    region: data.FURLONG_S3_REGION,
    /** Prefix of every key, without leading or trailing slashes; may be empty. */
    prefix: data.FURLONG_S3_PREFIX.replace(/^\/+|\/+$/g, ''),
  }
}
