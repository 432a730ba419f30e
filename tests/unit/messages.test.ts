import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../../domain/errors.ts'
import { LANGUAGES } from '../../domain/languages.ts'
import { checkMessages } from '../support/message-check.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CHINESE = LANGUAGES.filter((language) => language.startsWith('zh'))

function messagesOf(language: string): Record<string, string> {
  const folder = join(ROOT, 'locales', language)
  const files = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>,
  )
  return Object.assign({}, ...files) as Record<string, string>
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sourcesBelow(path)
    return /\.tsx?$/.test(entry.name) ? [readFileSync(path, 'utf8')] : []
  })
}

const ENGLISH = messagesOf('en')
const PACKAGES = ['src', 'contract', 'server/routes', 'server/services', 'server/alerts']
const SOURCES = [
  ...PACKAGES.flatMap((room) => sourcesBelow(join(ROOT, room))),
  readFileSync(join(ROOT, 'server/process/messages.ts'), 'utf8'),
]

function argumentsOf(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return []
    if (element.type === TYPE.plural || element.type === TYPE.select) {
      return [element.value, ...Object.values(element.options).flatMap((option) => argumentsOf(option.value))]
    }
    return [element.value]
  })
}

test.each(LANGUAGES)(
  '%s: every text that the screens name is there, and none that nobody names',
  (language) => {
    expect(checkMessages(SOURCES, messagesOf(language), ERROR_CODES)).toEqual({ missing: [], unused: [] })
  },
)

describe.each(LANGUAGES.slice(1))('%s', (language) => {
  const messages = messagesOf(language)
  test('has the keys of English', () => {
    expect(Object.keys(messages).toSorted()).toEqual(Object.keys(ENGLISH).toSorted())
  })
  test('names the values of English', () => {
    for (const [key, text] of Object.entries(messages)) {
      const names = (of: string): string[] => [...new Set(argumentsOf(parse(of)))].toSorted()
      expect(names(text), key).toEqual(names(ENGLISH[key]!))
    }
  })
})

/** The values of a message by how it writes them: numbers, whose digits the language groups, and texts as they are. */
function valuesOf(elements: readonly MessageFormatElement[]): { numbers: string[]; texts: string[] } {
  const found = elements.map((element) => {
    if (element.type === TYPE.argument) return { numbers: [], texts: [element.value] }
    if (element.type === TYPE.number) return { numbers: [element.value], texts: [] }
    if (element.type === TYPE.tag) return valuesOf(element.children)
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return { numbers: [], texts: [] }
    const inside = valuesOf(Object.values(element.options).flatMap((option) => option.value))
    return element.type === TYPE.plural ? { ...inside, numbers: [element.value, ...inside.numbers] } : inside
  })
  return { numbers: found.flatMap(({ numbers }) => numbers), texts: found.flatMap(({ texts }) => texts) }
}

/** Values that one text of a message writes as they are and another as numbers: `3481` for `3,481`. */
function ungroupedIn(texts: readonly string[]): string[] {
  const values = texts.map((text) => valuesOf(parse(text)))
  const numbers = new Set(values.flatMap((each) => each.numbers))
  return values.flatMap((each) => each.texts.filter((value) => numbers.has(value)))
}

test('a value that is a number in one language is one in every', () => {
  const all = LANGUAGES.map((language) => messagesOf(language))
  const found = Object.keys(ENGLISH).flatMap((key) =>
    ungroupedIn(all.map((messages) => messages[key]!)).map((value) => `${key}: ${value}`),
  )
  expect(found).toEqual([])
  expect(ungroupedIn(['{days, plural, one {# day} other {# days}}', '{days} 日'])).toEqual(['days'])
  expect(ungroupedIn(['<b>{days, number}</b> of {count}', '{count} 的 {days, number}'])).toEqual([])
})

test('the check sees a missing key, an unused one, and one of a family', () => {
  const messages = { 'a.used': '', 'a.idle': '', 'family.1': '' }
  const sources = ['<FormattedMessage id="a.used" />', "word('a.gone')", 'id: `family.${key}`']
  expect(checkMessages(sources, messages, [])).toEqual({ missing: ['a.gone'], unused: ['a.idle'] })
})

/** Literal text of a message, including its choices. */
function literalsOf(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal) return [element.value]
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return []
    return Object.values(element.options).flatMap((option) => literalsOf(option.value))
  })
}

const HAN = String.raw`\p{Script=Han}`
/**
 * Half-width punctuation beside a Chinese character; a full stop may also end an abbreviation or begin an extension.
 */
const HALF_WIDTH = new RegExp(`${HAN}[,;:!?()]|[,;:!?()]${HAN}|${HAN}\\.(?![\\p{L}\\d])`, 'u')
/** Proper names. */
const THE_SAME = new Set(['workspace.exportParquet', 'workspace.exportDuckdb'])
const HYPHEN_AS_MINUS = /(?:^|[\s(])-\d/

/** Words that the product replaced with its users' terms; each thing has one word. */
const GIVEN_UP: Readonly<Record<string, readonly string[]>> = {
  'zh-Hant': [
    '機率',
    '機會率',
    '信賴區間',
    '優惠券',
    '訂閱此場',
    '雜湊並',
    '可靠度',
    '落空',
    '個人中心',
    '銀行卡',
    '銀行戶口',
    '帳號',
    '推廣服務商',
    '用戶協議',
    '港幣',
    '投注種類',
    '投注類型',
    '途程',
    '公佈',
    '宣佈',
    '穩健',
    '防冷門',
  ],
  'zh-Hans': [
    '几率',
    '机会率',
    '优惠券',
    '自定日期',
    '头马',
    '出马数',
    '马季',
    '贴士',
    '港币',
    '「',
    '距冠军',
    '个人中心',
    '投注种类',
    '投注类型',
    '途程',
    '稳健',
    '防冷门',
  ],
  en: [
    'tap to view',
    'not subscribed',
    'My subscriptions',
    'Win/loss record',
    'Prediction results',
    'Body weight',
    'Weight carried',
    'First four',
    'Cautious',
    'Upset',
    'Shrunk',
    'held back',
    'Hold back',
    '(pts)',
  ],
}

/** Terms of the Jockey Club's tables of results that begin with words that were given up elsewhere. */
const TERMS_OF_THE_RESULTS = /头马距离|短马头位/g

test.each(LANGUAGES)('%s: no text has a word that was given up', (language) => {
  const found = Object.entries(messagesOf(language)).flatMap(([key, text]) =>
    literalsOf(parse(text)).flatMap((literal) =>
      (GIVEN_UP[language] ?? [])
        .filter((word) => literal.replaceAll(TERMS_OF_THE_RESULTS, '').includes(word))
        .map((word) => `${key}: ${word}`),
    ),
  )
  expect(found).toEqual([])
})

/** Typographic faults of a Chinese text. */
function faultsOf(text: string): string[] {
  return literalsOf(parse(text)).flatMap((literal) => [
    ...(literal.includes('你') ? ['你'] : []),
    ...(HALF_WIDTH.test(literal) ? ['half-width punctuation'] : []),
  ])
}

describe.each(CHINESE)('%s is written as its readers write', (language) => {
  test('it says 您 and has full-width punctuation', () => {
    const faults = Object.entries(messagesOf(language)).flatMap(([key, text]) =>
      faultsOf(text).map((fault) => `${key}: ${fault}`),
    )
    expect(faults).toEqual([])
  })
})

describe.each(LANGUAGES.slice(1))('%s is translated', (language) => {
  test('no text was left in English', () => {
    const same = Object.entries(messagesOf(language)).filter(
      ([key, text]) => text === ENGLISH[key] && literalsOf(parse(text)).some((part) => /[a-z]{3}/.test(part)),
    )
    expect(same.map(([key]) => key).filter((key) => !THE_SAME.has(key))).toEqual([])
  })
})

test.each(LANGUAGES)('%s: a minus is no hyphen', (language) => {
  const found = Object.entries(messagesOf(language)).filter(([, text]) =>
    literalsOf(parse(text)).some((part) => HYPHEN_AS_MINUS.test(part)),
  )
  expect(found).toEqual([])
})

test('the check of typography sees each kind of fault, and what is none', () => {
  expect(faultsOf('你好')).toEqual(['你'])
  expect(faultsOf('賽事,結果')).toEqual(['half-width punctuation'])
  expect(faultsOf('{count, plural, other {# 場(今日)}}')).toEqual(['half-width punctuation'])
  expect(faultsOf('檔案 report.csv，由 Furlong 產生（{day}）。')).toEqual([])
  expect(HYPHEN_AS_MINUS.test('from -5 to 5')).toBe(true)
  expect(HYPHEN_AS_MINUS.test('1-10')).toBe(false)
})
