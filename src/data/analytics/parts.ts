/**
 * Parts of the page that are chunks of their own. A second `import()` of a loaded module is only answered after everything
 * else that the page has to do, which is the time of a whole click: what is loaded is kept here, to be used at once.
 */
function part<Module>(load: () => Promise<Module>) {
  let loaded: Module | null = null
  return {
    /** The module; `null` while it is not loaded. */
    now: (): Module | null => loaded,
    load: async (): Promise<Module> => (loaded ??= await load()),
  }
}

export const engine = part(() => import('./engine.ts'))
export const decoder = part(() => import('./decode.ts'))
