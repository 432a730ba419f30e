import type { GameplayClass } from '../../../domain/gameplay.ts'
import type { RaceDraft, StadiumDraft } from '../../drafts/drafts.ts'
import { wordIn } from '../reading/cells.ts'

/** The ten racecourses of the JRA, by the two digits of a race id that stand for them. */
export const RACECOURSES: Readonly<Record<string, StadiumDraft>> = {
  '01': { id: 'JPSAP', en: 'Sapporo', hant: '札幌', hans: '札幌' },
  '02': { id: 'JPHAK', en: 'Hakodate', hant: '函館', hans: '函馆' },
  '03': { id: 'JPFUK', en: 'Fukushima', hant: '福島', hans: '福岛' },
  '04': { id: 'JPNII', en: 'Niigata', hant: '新潟', hans: '新潟' },
  '05': { id: 'JPTOK', en: 'Tokyo', hant: '東京', hans: '东京' },
  '06': { id: 'JPNAK', en: 'Nakayama', hant: '中山', hans: '中山' },
  '07': { id: 'JPCHU', en: 'Chukyo', hant: '中京', hans: '中京' },
  '08': { id: 'JPKYO', en: 'Kyoto', hant: '京都', hans: '京都' },
  '09': { id: 'JPHAN', en: 'Hanshin', hant: '阪神', hans: '阪神' },
  '10': { id: 'JPKOK', en: 'Kokura', hant: '小倉', hans: '小仓' },
}

/** Surfaces; a jump race is run over several, and some files have it in their place. */
export const SURFACES: Readonly<Record<string, RaceDraft['track']>> = {
  芝: 'turf',
  ダ: 'dirt',
  ダート: 'dirt',
  障: null,
  障害: null,
}

/** Goings in the JRA's own English words (japanracing.jp). */
const TURF_GOINGS: Readonly<Record<string, string>> = {
  良: 'firm',
  稍重: 'good',
  重: 'yielding',
  不良: 'soft',
}
const DIRT_GOINGS: Readonly<Record<string, string>> = {
  良: 'standard',
  稍重: 'good',
  重: 'muddy',
  不良: 'sloppy',
}

/** Files also have the first character of a going alone. */
const SHORT: Readonly<Record<string, string>> = { 稍: '稍重', 不: '不良' }

/** Our word for a going, `undefined` if there is none. The going of a jump race is that of the turf. */
export const goingOf = (track: RaceDraft['track'], word: string): string | undefined =>
  wordIn(track === 'dirt' ? DIRT_GOINGS : TURF_GOINGS, wordIn(SHORT, word) ?? word)

export const WEATHERS: Readonly<Record<string, string>> = {
  晴: 'fine',
  曇: 'cloudy',
  小雨: 'showery',
  雨: 'rainy',
  // Of snow there is no word of ours.
  小雪: '小雪',
  雪: '雪',
}

/** Pools that are bet types here. */
export const POOLS: Readonly<Record<string, GameplayClass>> = {
  単勝: 1,
  複勝: 2,
  馬連: 3,
  ワイド: 4,
  馬単: 5,
  '3連複': 6,
  '3連単': 7,
}

/** Bets on brackets of horses, which no bet type here is. */
export const BRACKET_POOLS: ReadonlySet<string> = new Set(['枠連', '枠単'])

/** Margins to the horse in front that are words: as the product shows them, and their usual lengths. */
export const MARGIN_WORDS: Readonly<Record<string, { shown: string; lengths: number }>> = {
  同着: { shown: 'DH', lengths: 0 },
  ハナ: { shown: 'N', lengths: 0.05 },
  アタマ: { shown: 'HD', lengths: 0.2 },
  クビ: { shown: 'NK', lengths: 0.3 },
}

/** More than ten lengths, and as the product shows it. */
export const FAR = { word: '大', shown: 'ML' }
