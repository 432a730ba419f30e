import { writeFileSync } from 'node:fs'
import { serveData } from './serve-data.ts'
const served = await serveData('/tmp/base/data-4')
writeFileSync('/tmp/served.json', JSON.stringify({ baseUrl: served.baseUrl, token: served.token }))
