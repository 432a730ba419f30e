import { expect, test } from 'vitest'
import { createExternalStore, createNotifier, createStore } from '../../src/data/client/create-store.ts'

test('every listener hears what happens until it is removed', () => {
  const arrivals = createNotifier<[string]>()
  const heard: string[] = []
  const stop = arrivals.listen((name) => heard.push(`first ${name}`))
  arrivals.listen((name) => heard.push(`second ${name}`))
  arrivals.notify('a')
  stop()
  arrivals.notify('b')
  expect(heard).toEqual(['first a', 'second a', 'second b'])
})

test('a store has its new value when its listeners are called', () => {
  const store = createStore(1)
  const seen: number[] = []
  store.listen(() => seen.push(store.now()))
  store.set(2)
  store.set(3)
  expect(seen).toEqual([2, 3])
})

test('a store is connected while there are listeners, once for all of them', () => {
  const log: string[] = []
  let report: () => void = () => undefined
  const store = createExternalStore(
    () => 1,
    (notify) => {
      log.push('connected')
      report = notify
      return () => log.push('disconnected')
    },
  )
  const stopFirst = store.listen(() => log.push('first'))
  const stopSecond = store.listen(() => log.push('second'))
  report()
  stopFirst()
  stopFirst()
  report()
  stopSecond()
  expect(log).toEqual(['connected', 'first', 'second', 'second', 'disconnected'])
  store.listen(() => undefined)
  expect(log.at(-1)).toBe('connected')
})
