import { expose } from 'comlink'
import { vi } from 'vitest'

/** What jsdom has no implementation of, and components need: in the smallest form that they can tell. */

let width = 1280

const queries = new Set<{ text: string; list: MediaQueryList; listeners: Set<() => void> }>()

/** Whether a media query holds at the window's width; preferences are never set. */
const holds = (text: string): boolean => {
  const [, least] = /\(min-width: (\d+)px\)/.exec(text) ?? []
  const [, most] = /\(max-width: (\d+)px\)/.exec(text) ?? []
  if (least !== undefined) return width >= Number(least)
  return most !== undefined && width <= Number(most)
}

function matchMedia(text: string): MediaQueryList {
  const listeners = new Set<() => void>()
  const list = {
    get matches() {
      return holds(text)
    },
    media: text,
    onchange: null,
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
    addListener: (listener: () => void) => listeners.add(listener),
    removeListener: (listener: () => void) => listeners.delete(listener),
    dispatchEvent: () => true,
  } as unknown as MediaQueryList
  queries.add({ text, list, listeners })
  return list
}

/** Makes the window so many pixels wide. */
export function setWidth(pixels: number): void {
  const before = width
  width = pixels
  if (before === pixels) return
  for (const { listeners } of queries) for (const listener of listeners) listener()
}

let outOfView: string | null = null

/** Keeps the elements below a selector out of view, so that they are not rendered. */
export function keepOutOfView(selector: string | null): void {
  outOfView = selector
}

/**
 * Everything is in view, but no chart so much that it would be drawn: its library needs sizes, which jsdom does not have.
 */
class AlmostInView {
  private readonly tell: IntersectionObserverCallback

  constructor(tell: IntersectionObserverCallback) {
    this.tell = tell
  }

  observe(target: Element): void {
    if (outOfView !== null && target.closest(outOfView)) return
    const box = target.getBoundingClientRect()
    const entry = {
      target,
      isIntersecting: true,
      intersectionRatio: 0.2,
      intersectionRect: box,
      boundingClientRect: box,
      rootBounds: null,
      time: 0,
    }
    queueMicrotask(() => this.tell([entry], this as unknown as IntersectionObserver))
  }

  unobserve(): void {}
  disconnect(): void {}
  takeRecords = (): IntersectionObserverEntry[] => []
}

class NothingIsResized {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** The interfaces of workers by a part of their file's name. */
const workers = new Map<string, object>()

/** Lets the page reach an interface where it would start a worker. */
export const prepareWorker = (file: string, api: object): void => void workers.set(file, api)

/** A worker whose interface is in this process. Without a prepared one its calls stay unanswered, like those of a slow device. */
class PreparedWorker {
  private readonly port: MessagePort

  constructor(url: string | URL) {
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    const api = [...workers].find(([file]) => String(url).includes(file))?.[1]
    if (api) expose(api, port2)
    port1.start()
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    this.port.postMessage(message, transfer)
  }

  addEventListener(type: string, listener: (event: MessageEvent) => void): void {
    if (type === 'message') this.port.addEventListener(type, listener)
  }

  removeEventListener(type: string, listener: (event: MessageEvent) => void): void {
    if (type === 'message') this.port.removeEventListener(type, listener)
  }

  terminate(): void {
    this.port.close()
  }
}

/** Opens and closes a popover by its button, as the browser does, with the events of both. */
function toggle(box: HTMLElement, isOpen: boolean): void {
  for (const kind of ['beforetoggle', 'toggle'])
    box.dispatchEvent(Object.assign(new Event(kind), { newState: isOpen ? 'open' : 'closed' }))
  if (isOpen) box.querySelector<HTMLElement>('[autofocus]')?.focus()
}

const TOGGLES = Symbol.for('toggleByButton')

function toggleByButton({ target }: Event): void {
  const id = (target as Element).closest('[popovertarget]')?.getAttribute('popovertarget') ?? null
  const box = id === null ? null : document.getElementById(id)
  if (box !== null) toggle(box, box.dataset['open'] !== 'true')
}

/** Puts the stand-ins where components look for them; called before any test of a file. */
export function standIn(): void {
  vi.stubGlobal('matchMedia', matchMedia)
  vi.stubGlobal('IntersectionObserver', AlmostInView)
  vi.stubGlobal('ResizeObserver', NothingIsResized)
  vi.stubGlobal('Worker', PreparedWorker)
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('CSS', { escape: (text: string) => text.replaceAll(/[^\w-]/g, String.raw`\$&`) })
  Element.prototype.scrollIntoView = () => undefined
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList
  // The document outlives the file, and so does its listener.
  if (!Object.hasOwn(document, TOGGLES)) document.addEventListener('click', toggleByButton)
  Object.assign(document, { [TOGGLES]: true })
  HTMLElement.prototype.hidePopover = function hidePopover(): void {
    toggle(this, false)
  }
  HTMLDialogElement.prototype.showModal = function showModal(): void {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close(): void {
    if (!this.open) return
    this.open = false
    this.dispatchEvent(new Event('close'))
  }
}

/** Forgets what a test prepared. */
export function standDown(): void {
  workers.clear()
  outOfView = null
  setWidth(1280)
}
