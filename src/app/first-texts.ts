import { location } from '../../contract/api/site.ts'
import { call } from '../data/client/call.ts'
import { firstTexts } from '../i18n/language.ts'

/**
 * The initial messages; `null` if they could not be loaded. Imported before the routes, so that the server is asked for the
 * visitor's country before it is asked for the first screen's code and data: nothing is shown without it, and a browser
 * sends six requests at a time.
 */
export const FIRST_TEXTS = firstTexts(() => call(location, {}))
