export const MANIFEST_PATH = 'dataset/manifest.json'
/** Cache API: the manifest of the last visit, for the page and the engine. */
export const MANIFEST_CACHE = 'furlong-manifest'
