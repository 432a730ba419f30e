import type { GameplayClass } from '../../../domain/gameplay.ts'

/** Words of the Hong Kong files and our terms for them, from the glossary. */
export const VENUES: Readonly<Record<string, string>> = {
  沙田: 'HKSHT',
  跑馬地: 'HKHAV',
  沙田全天候: 'HKSHT',
  從化: 'HKCON',
  '從化草地"A"': 'HKCON',
}

export const GOINGS: Readonly<Record<string, string>> = {
  快地: 'firm',
  好地至快地: 'good_to_firm',
  好地: 'good',
  好地至黏地: 'good_to_yielding',
  黏地: 'yielding',
  黏地至軟地: 'yielding_to_soft',
  軟地: 'soft',
  大爛地: 'heavy',
  慢地: 'awt_slow',
  濕快地: 'wet_fast',
  濕慢地: 'wet_slow',
  封地: 'sealed',
}

/** The abbreviated goings of `form.csv`: 好地至快地 is 好/快. */
export const SHORT_GOINGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(GOINGS).map(([word, going]) => [word.replace('至', '/').replaceAll('地', ''), going]),
)

export const RACE_CLASSES: Readonly<Record<string, string>> = {
  第一班: 'C1',
  第二班: 'C2',
  第三班: 'C3',
  第四班: 'C4',
  第五班: 'C5',
  '第三班（條件限制）': 'C3R',
  '第四班（條件限制）': 'C4R',
  香港三級賽: 'HKG3',
}

/** Classes of `form.csv`: `4` is Class 4; `G1` and the others are kept unchanged. */
export function formClass(cell: string | null): string | null {
  return cell !== null && /^\d[A-Z]?$/.test(cell) ? `C${cell}` : cell
}

/** Pools that are gameplay classes here. TCE is in order, TRI is not (domain notes, trap 1). */
export const POOLS: Readonly<Record<string, GameplayClass>> = {
  獨贏: 1,
  位置: 2,
  連贏: 3,
  位置Q: 4,
  二重彩: 5,
  單T: 6,
  三重彩: 7,
  四連環: 8,
  四重彩: 9,
}

export const ORIGINS: Readonly<Record<string, string>> = {
  澳洲: 'AU',
  紐西蘭: 'NZ',
  愛爾蘭: 'IE',
  英國: 'GB',
  法國: 'FR',
  日本: 'JP',
  美國: 'US',
  南非: 'ZA',
  德國: 'DE',
  巴西: 'BR',
  阿根廷: 'AR',
  意大利: 'IT',
  智利: 'CL',
  西班牙: 'ES',
  加拿大: 'CA',
}

export const IMPORT_TYPES: Readonly<Record<string, string>> = {
  自購新馬: 'ppg',
  自購馬: 'pp',
  國際拍賣會新馬: 'isg',
  訪港馬匹: 'visiting',
}

export const SEXES: Readonly<Record<string, string>> = {
  閹: 'gelding',
  雄: 'horse',
  雌: 'mare',
  隱睪: 'rig',
}

export const COLOURS: Readonly<Record<string, string>> = {
  棗: 'bay',
  深棗: 'dark_bay',
  '棗／棕': 'bay_brown',
  '深棗／棕': 'bay_brown',
  棕: 'brown',
  栗: 'chestnut',
  灰: 'grey',
  '棕／灰': 'grey',
  '棗／灰': 'grey',
  '灰／沙': 'grey',
  沙: 'roan',
  黑: 'black',
}
