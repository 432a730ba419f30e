import type { Names } from '../../drafts/drafts.ts'

type Word = readonly [en: string, hant: string, hans: string]

/** Invented names: any resemblance to existing horses or people is coincidental. */
const FIRST: readonly Word[] = [
  ['Golden', '金', '金'],
  ['Silver', '銀', '银'],
  ['Jade', '翠', '翠'],
  ['Swift', '迅', '迅'],
  ['Lucky', '幸', '幸'],
  ['Brave', '勇', '勇'],
  ['Bright', '明', '明'],
  ['Quiet', '靜', '静'],
  ['Northern', '北', '北'],
  ['Southern', '南', '南'],
  ['Autumn', '秋', '秋'],
  ['Winter', '冬', '冬'],
  ['Happy', '樂', '乐'],
  ['Noble', '貴', '贵'],
  ['Iron', '鐵', '铁'],
  ['Azure', '蒼', '苍'],
  ['Scarlet', '赤', '赤'],
  ['Velvet', '柔', '柔'],
  ['Distant', '遠', '远'],
  ['Gentle', '和', '和'],
  ['Mighty', '威', '威'],
  ['Morning', '晨', '晨'],
  ['Evening', '暮', '暮'],
  ['Thousand', '千', '千'],
]

const SECOND: readonly Word[] = [
  ['Dragon', '龍駒', '龙驹'],
  ['Breeze', '風', '风'],
  ['Harbour', '港灣', '港湾'],
  ['Lantern', '燈籠', '灯笼'],
  ['Mountain', '山嶺', '山岭'],
  ['River', '江流', '江流'],
  ['Star', '星', '星'],
  ['Arrow', '箭', '箭'],
  ['Fortune', '福運', '福运'],
  ['Thunder', '雷霆', '雷霆'],
  ['Blossom', '花開', '花开'],
  ['Champion', '將軍', '将军'],
  ['Compass', '羅盤', '罗盘'],
  ['Falcon', '飛鷹', '飞鹰'],
  ['Melody', '樂韻', '乐韵'],
  ['Sunrise', '旭日', '旭日'],
  ['Tide', '潮汐', '潮汐'],
  ['Echo', '回聲', '回声'],
  ['Anchor', '船錨', '船锚'],
  ['Summit', '高峰', '高峰'],
]

const SURNAMES: readonly Word[] = [
  ['Ashdown', '艾誠', '艾诚'],
  ['Bellweather', '貝維', '贝维'],
  ['Carrow', '賈樂', '贾乐'],
  ['Dunmore', '鄧摩', '邓摩'],
  ['Ellery', '艾樂儀', '艾乐仪'],
  ['Fung', '馮', '冯'],
  ['Greywood', '葛惠', '葛惠'],
  ['Hallam', '賀倫', '贺伦'],
  ['Iverson', '易華', '易华'],
  ['Jessop', '謝索', '谢索'],
  ['Kwan', '關', '关'],
  ['Lockhart', '駱克', '骆克'],
  ['Merrow', '馬羅', '马罗'],
  ['Ngai', '魏', '魏'],
  ['Oakley', '歐立', '欧立'],
  ['Poon', '潘', '潘'],
  ['Quill', '郭爾', '郭尔'],
  ['Rourke', '盧克', '卢克'],
  ['Sung', '宋', '宋'],
  ['Tsang', '曾', '曾'],
]

const GIVEN: readonly Word[] = [
  ['A', '文', '文'],
  ['B', '志', '志'],
  ['C', '家', '家'],
]

const join = (left: Word, right: Word, space: string): Names => ({
  en: left[0] + space + right[0],
  hant: left[1] + right[1],
  hans: left[2] + right[2],
})

export const HORSE_NAMES: readonly Names[] = FIRST.flatMap((first) =>
  SECOND.map((second) => join(first, second, ' ')),
)

/** `A Ashdown 艾誠文`: the surname comes first in Chinese. */
export const PERSON_NAMES: readonly Names[] = GIVEN.flatMap((given) =>
  SURNAMES.map((surname) => ({
    en: `${given[0]} ${surname[0]}`,
    hant: surname[1] + given[1],
    hans: surname[2] + given[2],
  })),
)

const RACE_WORDS: readonly Word[] = [
  ['Lantern', '燈籠', '灯笼'],
  ['Harbour', '海港', '海港'],
  ['Bamboo', '翠竹', '翠竹'],
  ['Compass', '羅盤', '罗盘'],
  ['Ferry', '渡輪', '渡轮'],
  ['Orchard', '果園', '果园'],
  ['Lighthouse', '燈塔', '灯塔'],
  ['Meadow', '草原', '草原'],
  ['Canyon', '峽谷', '峡谷'],
  ['Pavilion', '涼亭', '凉亭'],
  ['Granite', '花崗', '花岗'],
]

export const RACE_NAMES: readonly Names[] = RACE_WORDS.map((word) =>
  join(word, ['Handicap', '讓賽', '让赛'], ' '),
)
