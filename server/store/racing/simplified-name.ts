import { Converter } from 'opencc-js/t2cn'

const convert = Converter({ from: 'hk', to: 'cn' })
/** Characters of Hong Kong's names that the tables of OpenCC lack. */
const OTHERS: readonly (readonly [hant: string, hans: string])[] = [['鎗', '枪']]

/** A name of Hong Kong's Traditional Chinese in Simplified Chinese, by the tables of OpenCC. */
export const simplifiedName = (name: string): string =>
  OTHERS.reduce((text, [hant, hans]) => text.replaceAll(hant, hans), convert(name))
