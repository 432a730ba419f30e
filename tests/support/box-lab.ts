import { allOf, type Filter } from '../../analytics/filter.ts'
import { planAllRows, type AllRows } from '../../analytics/rows.ts'
import { RUNNERS } from '../../analytics/runners.ts'
import { Lab } from '../../workers/lab/lab.ts'
import { pageOf, type Column } from './lab-page.ts'
import type { NativeEngine } from './native.ts'

const IN_ORDER = ['day', 'meeting', 'race_no'].map((by) => ({ by, descending: false }))

/** The lab with the races of a slice to make boxes in, read from a dataset as the page reads them. */
export async function boxLab(native: NativeEngine, slice: Filter): Promise<Lab> {
  const read = async (columns: string[], sort: AllRows['sort'], where: Filter) => {
    const plan = planAllRows('runners', RUNNERS, { model: 'runners', columns, sort, where }, { scope: 'all' })
    const rows = await native.rows(plan.sql)
    const column = (name: string): Column => rows.map((row) => (row[name] ?? null) as Column[number])
    return pageOf(Object.fromEntries(columns.map((name) => [name, column(name)])))
  }
  const lab = new Lab()
  await lab.begin('boxes')
  const races = ['race_id', 'day', 'meeting', 'race_no', 'places_paid', 'dividends']
  await lab.add(await read(races, IN_ORDER, allOf(slice, { dim: 'model_rank', in: [1] })!))
  await lab.beginVectors()
  const starters = [
    'race_id',
    'horse_no',
    'probability',
    'market_probability',
    'places_paid',
    'place',
    'outcome',
  ]
  await lab.addVectors(await read(starters, [], slice))
  await lab.ready()
  return lab
}
