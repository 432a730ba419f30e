import { bad, checkFilter, type Filter } from './filter.ts'
import type { Model } from './model.ts'
import { MODELS, type ModelName } from './models.ts'

/**
 * Requests from outside are checked by hand, because the browser's first route must not
 * load a validation library.
 */
export interface Sort {
  by: string
  descending: boolean
}

export function fieldsOf(value: unknown, of: string, known?: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad(`${of}: not an object`)
  const extra = known && Object.keys(value).find((key) => !known.includes(key))
  if (extra !== undefined) throw bad(`${of}.${extra.slice(0, 40)}: unknown field`)
  return value as Record<string, unknown>
}

export function modelOf(value: unknown): { name: ModelName; model: Model } {
  if (typeof value !== 'string' || !Object.hasOwn(MODELS, value)) throw bad('model: unknown')
  const name = value as ModelName
  return { name, model: MODELS[name] }
}

export function namesOf(value: unknown, known: object, of: string, max: number): string[] {
  if (!Array.isArray(value) || value.length > max) throw bad(`${of}: no list of names`)
  return value.map((name) => {
    if (typeof name !== 'string' || !Object.hasOwn(known, name))
      throw bad(`${of}: ${String(name).slice(0, 40)}`)
    return name
  })
}

export function wholeNumber(value: unknown, of: string, from: number, to: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < from || value > to)
    throw bad(`${of}: not a whole number from ${from} to ${to}`)
  return value
}

export function checkSort(value: unknown, known: object, of: string): Sort[] {
  if (!Array.isArray(value) || value.length > 6) throw bad(`${of}: no list`)
  return value.map((each) => {
    const { by, descending } = fieldsOf(each, of, ['by', 'descending'])
    if (typeof by !== 'string' || !Object.hasOwn(known, by) || typeof descending !== 'boolean')
      throw bad(`${of}: ${String(by).slice(0, 40)}`)
    return { by, descending }
  })
}

const MAX_PANELS = 48

/** Panels of linked views: at most two dimensions each, and one filter per panel. */
export function checkPanels(model: Model, value: unknown): { by: string[]; where: Filter | null }[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_PANELS) throw bad('panels: no list')
  return value.map((panel) => {
    const own = fieldsOf(panel, 'panel', ['by', 'where'])
    return { by: namesOf(own['by'], model.dimensions, 'by', 2), where: checkFilter(model, own['where']) }
  })
}
