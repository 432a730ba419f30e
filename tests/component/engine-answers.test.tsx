import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenRequest } from '../../analytics/engine-api.ts'
import type { Request } from '../../analytics/request.ts'
import { engineAnswers } from '../../src/data/analytics/connector.ts'
import { openEngine } from '../../src/data/analytics/engine-state.ts'
import { prepareWorker, standDown, standIn } from './browser-stand-ins.ts'

/** What waits for the engine on the device: what it opens for it, and when there is nothing to wait for. */

const TARGET = { regionId: '100000', asOf: '2026-02-01T00:00:00.000Z', history: true }
const runnersBy = (dim: string): Request => ({
  aggregate: {
    model: 'runners',
    by: [dim],
    measures: ['runners'],
    where: { and: [{ dim: 'model', in: ['blended'] }] },
  },
})

const asked: OpenRequest[] = []
prepareWorker('analytics.worker', {
  onProgress: () => undefined,
  open: (request: OpenRequest) => {
    asked.push(request)
    return {
      ok: true,
      dataset: {
        asOf: TARGET.asOf,
        demonstration: false,
        regionId: request.regionId,
        model: request.model,
        history: true,
        details: request.details === true,
        files: 1,
        bytes: 1,
        fetchedBytes: 1,
        offline: false,
        from: null,
        to: null,
        since: null,
      },
    }
  },
})
// The worker stays with the page, which both tests share.
beforeAll(standIn)
afterAll(standDown)

const detailsAsked = (): (boolean | undefined)[] => asked.map(({ details }) => details)

test('the details of starters are opened once, for the first question that reads them', async () => {
  await openEngine(
    { baseUrl: '/', regionId: TARGET.regionId, model: 'blended', token: 'a VIP’s' },
    TARGET.asOf,
  )
  await engineAnswers(TARGET, runnersBy('draw'))
  expect(detailsAsked().every((details) => details === false)).toBe(true)
  await engineAnswers(TARGET, runnersBy('class_move'))
  const count = asked.length
  expect(detailsAsked().at(-1)).toBe(true)
  await engineAnswers(TARGET, runnersBy('sire'))
  expect(asked).toHaveLength(count)
})

test('whoever waits for files that newer ones have replaced is told', async () => {
  const older = { ...TARGET, asOf: '2026-01-01T00:00:00.000Z' }
  await expect(engineAnswers(older, runnersBy('draw'))).rejects.toMatchObject({ code: 'busy' })
})
