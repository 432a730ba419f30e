// Writes the licence texts of the installed packages into a file: `node tools/licences.mjs FILE`.
import { writeFileSync } from 'node:fs'
import { installedPackages, licenceTexts } from './lib/licences.mjs'

writeFileSync(process.argv[2], licenceTexts(installedPackages()))
