import fastifyFormbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as calls from '../../contract/api/alert.ts'
import { writeMessage } from '../../contract/api/message.ts'
import { FurlongError } from '../../domain/errors.ts'
import { newId } from '../db/id.ts'
import { randomToken, tokenHash } from '../db/keys.ts'
import { smtpGateway } from '../gateways/mail.ts'
import { isPushService } from '../gateways/web-push.ts'
import { serverMessage } from '../process/messages.ts'
import { UNSUBSCRIBE_PATH } from '../alerts/alert-delivery.ts'
import { AlertGround } from '../alerts/alert-ground.ts'
import { composeAlert } from '../alerts/alert-text.ts'
import { attempt } from '../services/limits.ts'
import { fileIdOf } from '../services/pictures.ts'
import { vapidKeys } from '../alerts/vapid-keys.ts'
import * as settings from '../store/accounts/alert-setting-store.ts'
import { lockCustomer } from '../store/accounts/customer-store.ts'
import { insertMessage } from '../store/accounts/message-store.ts'
import { writeAlerts } from '../store/operation/alert-store.ts'
import { found, written, type Answer } from './answer.ts'
import { languageOfRequest, type Context } from './context.ts'
import { escapeHtml, plainPage } from '../process/plain-page.ts'

const MAX_DEVICES = 10
const SETTINGS_PATH = '/pages/user/alertSettings'
const CONFIRM_PATH = '/sys/alerts/confirm'
/** For how long the link of a confirmation is good. */
const CONFIRM_MS = 86_400_000
const TEST_MS = 600_000

/**
 * Routes for what customers are told, and how; the pages of the links in e-mail; and messages of customers to the operator.
 */
export async function messageRoutes(app: FastifyInstance, answer: Answer, context: Context): Promise<void> {
  operatorCalls(answer, context)
  const { database, now } = context.service

  answer(calls.queryAlerts, async ({ viewer, language }) => {
    const rows = await settings.listSiteAlerts(database, viewer.id, calls.MAX_SITE_ALERTS)
    const reader = { customerId: viewer.id, isVip: viewer.isVip, language }
    const ground = await AlertGround.of(
      database,
      rows.map((row) => ({ ...row, customerId: viewer.id })),
    )
    const alerts: calls.SiteAlert[] = []
    for (const row of rows) {
      const composed = await composeAlert(ground, row, reader, now())
      if (composed === null) continue
      const { title, body, path } = composed
      alerts.push({ id: row.id, title, body, path, createdAt: row.createdAt, read: row.read })
    }
    return { unread: alerts.filter(({ read }) => !read).length, alerts }
  })

  answer(calls.queryUnreadAlerts, async ({ viewer }) => ({
    unread: await settings.countUnread(database, viewer.id),
  }))

  answer(calls.markAlertsRead, async ({ viewer }) => {
    await settings.markAlertsRead(database, viewer.id, now())
    return { unread: 0 as const }
  })

  settingCalls(answer, context)
  channelCalls(answer, context)
  await app.register((scope) => linkRoutes(scope, context))
}

function settingCalls(answer: Answer, { service, settings: { alerts } }: Context): void {
  const { database, now } = service

  answer(calls.queryAlertSettings, async ({ viewer, language }) => ({
    ...((await settings.readAlertChoice(database, viewer.id)) ?? settings.defaultChoice(language)),
    pushKey: (await vapidKeys(database)).publicKey,
    devices: await settings.countPushDevices(database, viewer.id),
    emailOffered: alerts.mail !== undefined,
    email: await settings.readAlertAddress(database, viewer.id),
  }))

  answer(calls.saveAlertSettings, async ({ viewer, body }) => {
    await settings.writeAlertChoice(database, viewer.id, body)
    return { saved: true as const }
  })

  answer(calls.testAlert, async ({ viewer }) => {
    await attempt(service, { 'alert test account': viewer.id })
    const at = now()
    const test = {
      customerId: viewer.id,
      kind: 'test',
      raceId: null,
      horseId: null,
      facts: {},
      key: `test ${newId()}`,
      expiresAt: new Date(at.getTime() + TEST_MS),
    } as const
    await database.transaction((queries) => writeAlerts(queries, [test], at))
    return { sent: true as const }
  })
}

function channelCalls(answer: Answer, { service, settings: { alerts } }: Context): void {
  const { database, now } = service

  answer(calls.addAlertEmail, async ({ viewer, body, language }) => {
    if (alerts.mail === undefined) throw new FurlongError('not-found')
    await attempt(service, { 'alert address account': viewer.id })
    const { address } = body
    const token = randomToken()
    const at = now()
    await database.transaction(async (queries) => {
      await settings.ensureAlertChoice(queries, viewer.id, language)
      await settings.writeAlertAddress(queries, {
        customerId: viewer.id,
        address,
        tokenHash: tokenHash(token),
        unsubscribeToken: randomToken(),
        tokenEndsAt: new Date(at.getTime() + CONFIRM_MS),
        now: at,
      })
    })
    const url = `${service.siteUrl()}${CONFIRM_PATH}?${new URLSearchParams({ token }).toString()}`
    const text = serverMessage(language, 'alert.confirm.mail', { url })
    const subject = serverMessage(language, 'alert.confirm.title')
    const mail = smtpGateway(alerts.mail)
    // Not awaited: how long the mail server takes says nothing of an address.
    service.runInBackground('alert address', async () => {
      try {
        await mail.send({ id: newId(), to: address, subject, text, unsubscribe: null })
      } finally {
        mail.close()
      }
    })
    return { sent: true as const }
  })

  answer(calls.removeAlertEmail, async ({ viewer }) => {
    await database.transaction((queries) => settings.removeAlertAddress(queries, viewer.id))
    return { removed: true as const }
  })

  answer(calls.addPushDevice, async ({ viewer, body: { endpoint, keys }, language }) => {
    if (!isPushService(endpoint, alerts.pushServices))
      throw new FurlongError('bad-parameters', {
        reason: 'endpoint',
        field: 'endpoint',
        rule: 'field.invalid',
      })
    const device = { customerId: viewer.id, endpoint, ...keys, max: MAX_DEVICES, now: now() }
    const id = await database.transaction(async (queries) => {
      await settings.ensureAlertChoice(queries, viewer.id, language)
      return settings.writePushDevice(queries, device)
    })
    written(id, `${MAX_DEVICES} browsers`)
    return { added: true as const }
  })

  answer(calls.removePushDevice, async ({ viewer, query }) => {
    await settings.removePushDevice(database, viewer.id, query.endpoint)
    return { removed: true as const }
  })
}

/** A link asks with a page, because programs that check links open them; its button, or the mailbox (RFC 8058), posts. */
async function linkRoutes(app: FastifyInstance, { service }: Context): Promise<void> {
  const { database, now } = service
  await app.register(fastifyFormbody, { bodyLimit: 1024 })

  const page = (request: FastifyRequest, reply: FastifyReply, title: string, button: string | null) => {
    const language = languageOfRequest(request)
    const say = (id: string): string => escapeHtml(serverMessage(language, id))
    const form = button && `<form method="post"><button class="approve">${say(button)}</button></form>`
    const back = `<p><a href="/#${SETTINGS_PATH}">${say('alert.link.back')}</a></p>`
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(plainPage(language, say(title), `${form ?? ''}\n${back}`))
  }
  type Link = { Querystring: { token?: unknown } }
  const tokenIn = ({ query: { token } }: FastifyRequest<Link>): string =>
    typeof token === 'string' ? token : ''

  app.get<Link>(UNSUBSCRIBE_PATH, (request, reply) =>
    page(request, reply, 'alert.unsubscribe.title', 'alert.unsubscribe.button'),
  )
  app.post<Link>(UNSUBSCRIBE_PATH, async (request, reply) => {
    const owner = await settings.customerOfUnsubscribe(database, tokenIn(request))
    if (owner !== null)
      await database.transaction((queries) => settings.removeAlertAddress(queries, owner.customerId))
    // The same for a link that has ended already: a second click is no failure.
    return page(request, reply, 'alert.unsubscribe.done', null)
  })
  app.get<Link>(CONFIRM_PATH, (request, reply) =>
    page(request, reply, 'alert.confirm.title', 'alert.confirm.button'),
  )
  app.post<Link>(CONFIRM_PATH, async (request, reply) => {
    const isConfirmed = await settings.confirmAddress(database, tokenHash(tokenIn(request)), now())
    return page(request, reply, isConfirmed ? 'alert.confirm.done' : 'alert.confirm.ended', null)
  })
}

/** The route for messages of customers to the operator, who reads them with `furlong messages`. */
function operatorCalls(answer: Answer, { service }: Context): void {
  answer(writeMessage, async ({ viewer, body }) => {
    await attempt(service, { 'message account': viewer.id })
    const id = await service.database.transaction(async (queries) => {
      // Nothing is written after the account is deleted.
      if ((await lockCustomer(queries, viewer.id)) === null) throw new FurlongError('session-ended')
      return insertMessage(queries, {
        customerId: viewer.id,
        content: body.content,
        answerTo: body.answerTo ?? null,
        pictures: body.pictures.map(fileIdOf),
        now: service.now(),
      })
    })
    return { id: found(id) }
  })
}
