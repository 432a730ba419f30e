/**
 * Scrolls a row of buttons horizontally until one of them is entirely visible. `scrollIntoView`
 * would do so as well, but the next Tab would then continue from there (Chromium 150) instead of
 * from the top of the page.
 */
export function showWithin(row: Element | null | undefined, button: Element | null | undefined): void {
  if (!row || !button) return
  const [outer, inner] = [row.getBoundingClientRect(), button.getBoundingClientRect()]
  // A row may fade out towards its end.
  const end = outer.right - (Number.parseFloat(getComputedStyle(row).scrollPaddingInlineEnd) || 0)
  if (inner.left < outer.left) row.scrollLeft -= outer.left - inner.left
  else if (inner.right > end) row.scrollLeft += inner.right - end
}
