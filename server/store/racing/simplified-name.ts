import { Converter } from 'opencc-js/t2cn'

let convert: ((text: string) => string) | undefined
/** Characters of Hong Kong's names that the tables of OpenCC lack. */
const OTHERS: readonly (readonly [hant: string, hans: string])[] = [['鎗', '枪']]

/** A name of Hong Kong's Traditional Chinese in Simplified Chinese, by the tables of OpenCC. */
export function simplifiedName(name: string): string {
  // Its tables take a while to build, and most processes write no names.
  convert ??= Converter({ from: 'hk', to: 'cn' })
  return OTHERS.reduce((text, [hant, hans]) => text.replaceAll(hant, hans), convert(name))
}
