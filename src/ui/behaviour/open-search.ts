const ASKED = 'search-asked'

/** Opens the search that the page's header has. */
export const openSearch = (): void => void document.dispatchEvent(new Event(ASKED))

/** Calls `open` whenever a part of the page asks for the search, until the returned function is called. */
export function onSearchAsked(open: () => void): () => void {
  document.addEventListener(ASKED, open)
  return () => document.removeEventListener(ASKED, open)
}
