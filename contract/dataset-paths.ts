export const MANIFEST_PATH = 'dataset/manifest.json'
/** Cache API: the manifest of the last visit, shared by the page and the engine. */
export const MANIFEST_CACHE = 'furlong-manifest'
/** Cache API: dataset files on the device; a header of each names its entitlement. */
export const DATASET_CACHE = 'furlong-dataset'
export const ENTITLEMENT_HEADER = 'x-furlong-entitlement'
