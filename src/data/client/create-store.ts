import { useSyncExternalStore } from 'react'

/** Those who want to know when something happens, and what. */
export interface Notifier<News extends readonly unknown[]> {
  notify(...news: News): void
  /** Returns a function that removes the listener. */
  listen(listener: (...news: News) => void): () => void
}

/** A value outside React that components and functions read and follow. */
interface Readable<Value> {
  now(): Value
  /** Calls the listener after each change. Returns a function that removes it. */
  listen(listener: () => void): () => void
  /** The value, or what `pick` takes of it: something that is identical while the value is. */
  use(): Value
  use<Part>(pick: (value: Value) => Part): Part
}

export interface Store<Value> extends Readable<Value> {
  set(next: Value): void
}

/** A value that is stored elsewhere, such as in the browser's storage: whoever changes it calls `notify`. */
export interface ExternalStore<Value> extends Readable<Value> {
  notify(): void
}

/** `connect` is called when the first listener comes; what it returns is called when the last one has left. */
export function createNotifier<News extends readonly unknown[] = []>(
  connect?: () => () => void,
): Notifier<News> {
  const listeners = new Set<(...news: News) => void>()
  let disconnect: (() => void) | undefined
  return {
    notify: (...news) => {
      for (const listener of listeners) listener(...news)
    },
    listen: (listener) => {
      listeners.add(listener)
      if (listeners.size === 1) disconnect ??= connect?.()
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        disconnect?.()
        disconnect = undefined
      }
    },
  }
}

/**
 * A store of a value that `read` returns, identical until it changes. While there are listeners it is connected to
 * something that reports changes, such as events of the window.
 */
export function createExternalStore<Value>(
  read: () => Value,
  connect?: (notify: () => void) => () => void,
): ExternalStore<Value> {
  const changes: Notifier<[]> = createNotifier(connect && (() => connect(changes.notify)))
  const use = <Part>(pick?: (value: Value) => Part): Value | Part =>
    useSyncExternalStore(changes.listen, () => (pick === undefined ? read() : pick(read())))
  return { now: read, notify: changes.notify, listen: changes.listen, use }
}

/** A store of a value in memory; `connect` gets the function that sets the value. */
export function createStore<Value>(
  initial: Value,
  connect?: (set: (next: Value) => void) => () => void,
): Store<Value> {
  let value = initial
  const store = createExternalStore(() => value, connect && (() => connect(set)))
  function set(next: Value): void {
    value = next
    store.notify()
  }
  return { now: store.now, set, listen: store.listen, use: store.use }
}
