import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './install.mjs'

const TEXT_FILE = /^(licen[cs]e|copying|notice|third.?party)/i
const RULE = '-'.repeat(80)

/** Folders, below the project's, of the installed packages that the server and the site need. */
export function installedPackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([folder, { dev, link }]) => folder !== '' && !dev && !link && existsSync(join(ROOT, folder)))
    .map(([folder]) => folder)
}

/** What a package says of its licence: the files of its folder that do, and the fields of its package.json. */
function licenceOf(folder) {
  const about = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const { license, licenses, author, repository } = about
  const ids = [license ?? licenses ?? 'not stated'].flat().map((each) => each.type ?? each)
  const texts = readdirSync(join(ROOT, folder))
    .filter((name) => TEXT_FILE.test(name) && statSync(join(ROOT, folder, name)).isFile())
    .toSorted()
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8').trim())
  return {
    title: `${about.name} ${about.version}`,
    id: ids.join(' or '),
    author: author?.name ?? author ?? '',
    source: repository?.url ?? repository ?? '',
    texts,
  }
}

/**
 * The licence texts of some packages, as one text: each package with its version, its licence, its author and where its
 * source is, and then each text once, with the packages that have it. A package without a text of its own has that of
 * another one under the same licence.
 */
export function licenceTexts(folders) {
  const found = [...new Map(folders.map(licenceOf).map((each) => [each.title, each])).values()].toSorted(
    (a, b) => (a.title < b.title ? -1 : 1),
  )
  const owners = new Map()
  for (const { title, id, texts } of found) {
    const given =
      texts.length > 0 ? texts : [found.find((each) => each.id === id && each.texts.length > 0)?.texts[0]]
    for (const text of given) if (text !== undefined) owners.set(text, [...(owners.get(text) ?? []), title])
  }
  const list = found.map(
    ({ title, id, author, source }) => `${title}: ${[id, author, source].filter(Boolean).join(', ')}`,
  )
  const texts = [...owners].map(([text, titles]) => `${titles.join('\n')}\n\n${text}`)
  return [
    'Furlong contains software by others, under these licences.',
    'A package without a text of its own has the text of another package under the same licence.',
    '',
    ...list,
    ...texts.flatMap((text) => ['', RULE, text]),
    '',
  ].join('\n')
}
