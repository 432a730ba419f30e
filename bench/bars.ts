/** Runs in the browser: draws one bar for each figure, as long as it is. The visible result that a user waits for. */
export function drawBars(board: HTMLElement, figures: readonly number[]): void {
  while (board.childElementCount < figures.length) board.append(document.createElement('i'))
  const top = Math.max(1, ...figures)
  for (const [at, figure] of figures.entries()) {
    const bar = board.children[at] as HTMLElement
    bar.style.cssText = `display:block;height:1px;background:#000;width:${(100 * figure) / top}px`
  }
}

/** Runs in the browser: settles once the next frame has been painted. */
export const painted = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.addEventListener('message', () => resolve())
      channel.port1.start()
      channel.port2.postMessage(null)
    })
  })
