import { expect, test } from 'vitest'
import { dimensionsOf, type Filter } from '../../analytics/filter.ts'
import type { Dimension, Model } from '../../analytics/model.ts'
import { MODELS } from '../../analytics/models.ts'
import { needsDetails, needsSections } from '../../analytics/needs.ts'
import { materializeSteps, openStatements } from '../../analytics/open.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import type { Request } from '../../analytics/request.ts'
import { DETAILED_STARTER, RUNNERS } from '../../analytics/runners.ts'
import { dataDimensions } from '../../analytics/questions/vocabulary.ts'
import { comingWhere } from '../../analytics/view/coming.ts'
import { linkedMeasures } from '../../analytics/view/requests.ts'
import { chooseFiles } from '../../contract/dataset-files.ts'
import type { DatasetFile } from '../../contract/dataset.ts'

const MODEL: Model = RUNNERS
const BASE: Filter = {
  and: [
    { dim: 'model', in: ['fundamental'] },
    { dim: 'origin', in: ['backtest'] },
  ],
}
const AS_RUN = Object.entries(MODEL.dimensions).flatMap(([name, { sections }]) => (sections ? [name] : []))
const ask = (by: string[], measures: string[], where: Filter = BASE): Request => ({
  aggregate: { model: 'runners', by, measures, where },
})

test('four dimensions are of the run itself, and only runners have them', () => {
  expect(AS_RUN).toEqual(['run_style', 'run_early_pace', 'run_late_pace', 'run_finishing_speed'])
  for (const name of ['predictions', 'races'] as const) {
    const dimensions: Readonly<Record<string, Dimension>> = MODELS[name].dimensions
    expect(Object.values(dimensions).filter(({ sections }) => sections)).toEqual([])
  }
})

test('sections are read where a group, a figure, a filter or a column needs them, and nowhere else', () => {
  for (const dim of AS_RUN) {
    expect(needsSections(ask([dim], ['runners']))).toBe(true)
    expect(needsSections(ask([], ['runners'], { and: [BASE, { dim, in: [] }] }))).toBe(true)
    const rows = {
      model: 'runners',
      columns: ['day', dim],
      where: BASE,
      sort: [],
      offset: 0,
      limit: 5,
    } as const
    expect(needsSections({ rows: { ...rows, columns: [...rows.columns], sort: [] } })).toBe(true)
    expect(planRequest(ask([dim], ['runners']), { scope: 'all' }).source).toBe(DETAILED_STARTER)
  }
  for (const measure of [
    'with_sections',
    'without_sections',
    'finishing_speed',
    'early_seconds',
    'late_seconds',
  ]) {
    expect(needsSections(ask(['draw'], [measure]))).toBe(true)
    expect(planRequest(ask(['draw'], [measure]), { scope: 'all' }).source).toBe(DETAILED_STARTER)
  }
  expect(needsSections(ask(['running_style'], ['place_rate']))).toBe(false)
  expect(needsDetails(ask(['run_style'], ['finishing_speed']))).toBe(false)
  expect(planRequest(ask(['draw'], ['runners']), { scope: 'all' }).source).toBe('starter')
})

test('the files with sections are opened only for those who may have them and ask for them', () => {
  const file = (kind: DatasetFile['kind']) => ({ regionId: '1', season: 2024, kind, model: null })
  const files = [file('racing'), file('details'), file('sections')] as DatasetFile[]
  const kinds = (choice: { entitled: boolean; sections?: boolean; details?: boolean }) =>
    chooseFiles({ files }, { regionId: '1', models: [], ...choice }).map(({ kind }) => kind)
  expect(kinds({ entitled: true })).toEqual(['racing'])
  expect(kinds({ entitled: true, details: true })).toEqual(['racing', 'details'])
  expect(kinds({ entitled: true, sections: true })).toEqual(['racing', 'sections'])
  expect(kinds({ entitled: false, sections: true })).toEqual(['racing'])
})

test('starters are joined with their sections as with their details, where either is open', () => {
  const opened = openStatements([{ alias: 'f1', tables: ['starter', 'starter_sections'] }]).join(';')
  expect(opened).toContain('SELECT * FROM f1.starter_sections')
  const made = (tables: string[]): string =>
    materializeSteps([{ alias: 'f1', tables }])
      .flatMap(({ statements }) => statements)
      .join(';')
  expect(made(['starter', 'starter_sections'])).toContain(`memory_${DETAILED_STARTER}`)
  expect(made(['starter'])).not.toContain(`TABLE memory_${DETAILED_STARTER}`)
})

test('how a race was run selects no coming race, and no question takes its values for earlier ones', () => {
  const filter: Filter = { and: [{ dim: 'draw', in: [1] }, ...AS_RUN.map((dim) => ({ dim, in: [0] }))] }
  const where = comingWhere({ subject: 'runners', model: 'fundamental', filter }, ['fundamental'])
  expect([...dimensionsOf(where)].toSorted()).toEqual(['draw', 'model', 'origin'])
  expect(dataDimensions('runners').filter((dim) => AS_RUN.includes(dim))).toEqual([])
  expect(dataDimensions('runners')).toContain('running_style')
})

test('a figure of sections comes with the runs that it is of, and those without', () => {
  const slice = { subject: 'runners', base: BASE, filter: null, history: true, own: [] } as const
  expect(linkedMeasures({ ...slice, more: ['finishing_speed'] })).toEqual(
    expect.arrayContaining(['finishing_speed', 'with_sections', 'without_sections']),
  )
  expect(linkedMeasures({ ...slice, more: ['ae'] })).not.toContain('with_sections')
})
