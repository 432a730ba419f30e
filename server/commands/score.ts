import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { FurlongError } from '../../domain/errors.ts'
import { REGIONS } from '../../domain/region.ts'
import { tuningSeasons } from '../../domain/tuning.ts'
import { readSettings } from '../process/env.ts'
import { yieldProcessor } from '../jobs/niceness.ts'
import { StatusLine } from '../process/status-line.ts'
import type { Database } from '../db/database.ts'
import { doJobs } from '../jobs/do-jobs.ts'
import { stopSignal } from '../process/stop-signal.ts'
import { print, tell, withDatabase, withPlace, type Json } from './session.ts'

interface RegionOption {
  region?: string
}

/** Loads everything needed for scoring on demand, so that other commands start without it. */
async function parts() {
  return {
    ...(await import('../scoring/card-text.ts')),
    ...(await import('../scoring/choose-settings.ts')),
    ...(await import('../scoring/choose-order.ts')),
    ...(await import('../scoring/audit.ts')),
    ...(await import('../services/pace-record.ts')),
    ...(await import('../scoring/promote.ts')),
    ...(await import('../scoring/score.ts')),
    ...(await import('../scoring/train.ts')),
    ...(await import('../scoring/fit-version.ts')),
    ...(await import('../scoring/walk-forward.ts')),
    ...(await import('../dataset/dataset-index.ts')),
    ...(await import('../store/racing/scoring-state-store.ts')),
    ...(await import('../model/models/model-version.ts')),
  }
}

/** Regions with enough results, or the one given by its code or id. Throws `no-such-region`. */
async function chosenRegions(database: Database, { region }: RegionOption): Promise<string[]> {
  const { LEAST_RACES, regionsWithResults } = await parts()
  const there = (await regionsWithResults(database, LEAST_RACES)).map(({ regionId }) => regionId)
  if (region === undefined) return there
  const rules = REGIONS.find(({ code, id }) => code === region.toUpperCase() || id === region)
  if (!rules || !there.includes(rules.id)) throw new FurlongError('no-such-region', { region })
  return [rules.id]
}

/** Prints a report on each region: its lines as they come, or one JSON list at the end. `null` reports nothing. */
async function reportRegions(
  options: RegionOption & Json,
  report: (database: Database, regionId: string, status: StatusLine) => Promise<[unknown, string[]] | null>,
): Promise<void> {
  const reports: unknown[] = []
  const status = new StatusLine(process.stderr)
  await withDatabase(async (database) => {
    for (const regionId of await chosenRegions(database, options)) {
      const [about, lines] = (await report(database, regionId, status)) ?? []
      if (lines === undefined) continue
      status.clear()
      reports.push(about)
      if (!options.json) for (const line of lines) print(line)
    }
  })
  if (options.json) print(JSON.stringify(reports, null, 2))
}

const progressOn =
  (status: StatusLine) =>
  (what: string, done: number, total: number): void =>
    status.show(`${what}: ${done} of ${total}`)

/** `furlong score …`: commands to train, run and evaluate the models. */
export function scoreCommands(program: Command): void {
  const score = program.command('score').description('train the models, predict, and tell how they did')
  trainCommand(score)
  predictCommand(score)
  verifyCommand(score)
  backtestCommand(score)
  chooseCommand(score)
  cardCommand(score)
  statusCommand(score)
  promoteCommand(score)
  paceCommand(score)
}

const REGION = ['--region <code>', 'one region only, HK; all with results otherwise'] as const

function paceCommand(score: Command): void {
  score
    .command('pace')
    .description(
      'measure how well the pace maps of past races agreed with the positions at the first call, by season; the maps show it',
    )
    .option('--json', 'print the report as JSON', false)
    .action(async ({ json }: Json) => {
      const { measurePaceMaps } = await parts()
      const measured = await withDatabase((database) => measurePaceMaps(database, { again: true }))
      tell(
        json,
        measured,
        measured.flatMap(({ regionId, seasons }) =>
          seasons.map(
            ({ season, races, correlation, led }) =>
              `region ${regionId}, season ${season}: ${races} races, rank correlation ${correlation.toFixed(3)}, expected leader led in ${(100 * led).toFixed(1)}%`,
          ),
        ),
      )
    })
}

function trainCommand(score: Command): void {
  score
    .command('train')
    .description(
      'fit the model of every season that has none, from the seasons before it; resumes after an interruption',
    )
    .option(...REGION)
    .option('--again', 'fit all of them again', false)
    .option('--json', 'print a JSON list of the reports, one a region', false)
    .action(async (options: RegionOption & Json & { again: boolean }) => {
      const { trainRegion } = await parts()
      yieldProcessor('heavy', readSettings().databaseUrl)
      await reportRegions(options, async (database, regionId, status) => {
        const { again } = options
        const report = await trainRegion(database, regionId, { again, onProgress: progressOn(status) })
        const { fitted, seconds } = report
        const which = fitted.join(', ') || 'all were there'
        const line = `region ${regionId}: ${fitted.length} seasons fitted (${which}) in ${seconds.toFixed(1)} s`
        return [report, [line]]
      })
    })
}

function predictCommand(score: Command): void {
  score
    .command('predict')
    .description('predict, lock and settle every race that changed or has no prediction of its model')
    .option('--json', 'print the report as JSON', false)
    .action(async ({ json }: Json) => {
      const { scoreStaleRaces } = await parts()
      const status = new StatusLine(process.stderr)
      const report = await withDatabase((database) =>
        scoreStaleRaces(database, (done, total) => status.show(`predicting: ${done} of ${total} races`)),
      )
      status.clear()
      tell(json, report, [
        `${report.races} races, ${report.predictions} predictions, ${report.locked} locked in ${report.seconds.toFixed(1)} s`,
      ])
    })
}

function verifyCommand(score: Command): void {
  score
    .command('verify')
    .description(
      'compare every locked prediction with its commitment, and each chain with its published end; exits with status 1 when one does not match, or when there was nothing to compare',
    )
    .option(
      '--accept',
      'after a restore: take the ends of the chains as they are now, and say which are gone',
      false,
    )
    .option('--json', 'print the report as JSON', false)
    .action(async ({ json, accept }: Json & { accept: boolean }) => {
      const { acceptHeads, auditLocks, datasetFolder, publishedHeads, readIndex } = await parts()
      const report = await withPlace(async (database, { dataFolder }) => {
        const folder = datasetFolder(dataFolder)
        const published = await publishedHeads(database, readIndex(folder))
        const audit = await auditLocks(database, '0001-01-01', new Date(), published)
        if (accept && audit.missingHeads.length > 0) await acceptHeads(database, folder, audit.heads)
        return audit
      })
      const { checked, broken, brokenChains, missingHeads, heads } = report
      tell(json, report, [
        checked === 0
          ? 'no prediction is locked: nothing was compared'
          : `${checked} commitments compared, ${broken.length} broken`,
        ...broken.map((key) => `  broken: ${key}`),
        ...brokenChains.map(
          ({ regionId, number }) => `  chain of region ${regionId} broken at entry ${number}`,
        ),
        ...missingHeads.map(
          ({ regionId, number, chain }) =>
            `  chain of region ${regionId} no longer has its published entry ${number}, ${chain}${accept ? ': accepted' : ''}`,
        ),
        ...heads.map(
          ({ regionId, number, chain }) => `  end of the chain of region ${regionId}: ${number} ${chain}`,
        ),
      ])
      const missing = accept ? 0 : missingHeads.length
      if (checked === 0 || broken.length + brokenChains.length + missing > 0) process.exitCode = 1
    })
}

function backtestCommand(score: Command): void {
  score
    .command('backtest')
    .description('walk forward through the whole history and print how every model did; writes nothing')
    .option(...REGION)
    .option('--json', 'print a JSON list of the figures, one entry a region', false)
    .action(async (options: RegionOption & Json) => {
      const { backtestLines, backtestRegion } = await parts()
      await reportRegions(options, async (database, regionId, status) => {
        const started = Date.now()
        const card = await backtestRegion(database, regionId, progressOn(status))
        const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
        const took = `${((Date.now() - started) / 1000).toFixed(1)} s, ${megabytes} MB at most`
        return [card, [...backtestLines(card), took]]
      })
    })
}

function chooseCommand(score: Command): void {
  score
    .command('choose')
    .description('choose the model settings by the rule, on the tuning seasons alone; prints, writes nothing')
    .option(...REGION)
    .option('--network', 'only those of the network, on the linear model in use', false)
    .option('--order', 'instead of the settings: the shape of the finishing times', false)
    .option('--json', 'print a JSON list of the trials, one entry a region', false)
    .action(async (options: RegionOption & Json & { network: boolean; order: boolean }) => {
      const { choiceMarkdown, chooseOrder, chooseSettings, orderMarkdown, readHistory, trialLine } =
        await parts()
      await reportRegions(options, async (database, regionId, status) => {
        if (tuningSeasons(regionId).length === 0) return null
        const history = await readHistory(database, regionId)
        if (options.order) {
          const order = await chooseOrder({ regionId, ...history }, progressOn(status))
          return [order, [orderMarkdown(regionId, order)]]
        }
        const choice = await chooseSettings(
          { regionId, ...history },
          (trial) => status.show(trialLine(trial)),
          options.network ? ['network'] : ['fundamental', 'network'],
        )
        return [choice, [choiceMarkdown(regionId, choice)]]
      })
    })
}

function cardCommand(score: Command): void {
  score
    .command('card')
    .description('print the model card of a region as Markdown, or write it, or the model file, to a file')
    .option(...REGION)
    .option('--out <file>', 'file to write the card to')
    .option('--model <file>', 'file to write the newest model to')
    .action(async (options: RegionOption & { out?: string; model?: string }) => {
      const { cardMarkdown, listPromotions, loadCard, loadVersions, versionText } = await parts()
      await withDatabase(async (database) => {
        for (const regionId of await chosenRegions(database, options)) {
          const card = await loadCard(database, regionId)
          if (card === null) throw new FurlongError('no-model', { region: regionId })
          const text = cardMarkdown(card, await listPromotions(database, regionId))
          if (options.out === undefined) print(text)
          else writeFileSync(resolve(options.out), text)
          if (options.model === undefined) continue
          const newest = [...(await loadVersions(database, regionId)).values()].at(-1)
          if (!newest) throw new FurlongError('no-model', { region: regionId })
          writeFileSync(resolve(options.model), versionText(newest))
        }
      })
    })
}

function statusCommand(score: Command): void {
  score
    .command('status')
    .description('which model without odds each region shows first, since when, and which were before')
    .option(...REGION)
    .option('--json', 'print a JSON list, one entry a region', false)
    .action(async (options: RegionOption & Json) => {
      const { headlineStatus, statusLines } = await parts()
      await reportRegions(options, async (database, regionId) => {
        const status = await headlineStatus(database, regionId, new Date())
        return [status, statusLines(status)]
      })
    })
}

function promoteCommand(score: Command): void {
  score
    .command('promote')
    .description(
      'show a model without odds first where there are none, in races that are locked from now on; what earlier races showed stays',
    )
    .argument('<model>', 'fundamental or network')
    .requiredOption('--region <code>', 'the region, HK')
    .option('--json', 'print the report as JSON', false)
    .action(async (model: string, options: Required<RegionOption> & Json) => {
      const { promoteModel, promotionLines } = await parts()
      await withPlace(async (database, place, alone) => {
        const [regionId] = await chosenRegions(database, options)
        const report = await promoteModel(database, regionId!, model, new Date())
        // Told first: it holds, even if what follows is interrupted.
        tell(options.json, report, promotionLines(report))
        // The order of models in the files' index follows.
        const job = { kind: 'settle', payload: { verify: false } } as const
        await doJobs(database, place, job, { alone, onProgress: () => {}, stop: stopSignal() })
      })
    })
}
