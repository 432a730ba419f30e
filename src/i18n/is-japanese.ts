const KANA = /[\p{Script=Katakana}\p{Script=Hiragana}]/u

/** Whether a name is Japanese for certain: in no language of the site, whichever column of a file has it. */
export const isJapanese = (name: string): boolean => KANA.test(name)
