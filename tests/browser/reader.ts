import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { LANGUAGES as ALL_LANGUAGES, type Language } from '../../domain/languages.ts'
import { codeSentTo } from './site.ts'

/** Steps that the browser tests share: read messages, change the language, register. */
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
export const PASSWORD = 'horse4course'

/** A day `yyyy-mm-dd` as an English reader is shown it. */
export const shownDay = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

const texts = (language: string): ((id: string) => string) => {
  const all = Object.assign(
    {},
    ...[
      'common',
      'home',
      'racing',
      'membership',
      'account',
      'promotion',
      'record',
      'model',
      'card',
      'errors',
      'fields',
      'horse',
      'report',
    ].map((file) => JSON.parse(readFileSync(`locales/${language}/${file}.json`, 'utf8')) as object),
  ) as Record<string, string>
  return (id) => {
    if (all[id] === undefined) throw new Error(`no message ${id}`)
    return all[id]
  }
}
export const EN = texts('en')
export const HANT = texts('zh-Hant')
export const HANS = texts('zh-Hans')

/** The languages, each with its words. */
export const LANGUAGES = ALL_LANGUAGES.map((language) => [language, texts(language)] as const)

/** Region, language and colours are behind one button of the header. */
export const openSettings = (page: Page, from = EN): Promise<void> =>
  page.getByRole('button', { name: from('nav.settings') }).click()

/** Changes the language in the settings; the screen changes at once. */
export async function switchTo(page: Page, language: Language, from = EN): Promise<void> {
  await openSettings(page, from)
  // The personal centre has the same choices on its page.
  await page.getByRole('dialog').getByLabel(from('nav.language'), { exact: true }).selectOption(language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await page.keyboard.press('Escape')
}

export const newPhone = (): string => `6${String(randomInt(10_000_000)).padStart(7, '0')}`

export async function fillRegistration(
  page: Page,
  phone: string,
  word: (id: string) => string,
  readCode: (phone: string) => Promise<string> = codeSentTo,
): Promise<void> {
  await page.getByLabel(word('form.phone'), { exact: true }).fill(phone)
  await page.getByRole('button', { name: word('code.send') }).click()
  await expect(page.getByText(word('code.sent'))).toBeVisible()
  await page.getByLabel(word('form.captcha'), { exact: true }).fill(await readCode(phone))
  await page.getByLabel(word('form.password'), { exact: true }).fill(PASSWORD)
  await page.getByLabel(word('form.confirmPassword'), { exact: true }).fill(PASSWORD)
}
