import type { DataValue } from '../../analytics/questions/vocabulary.ts'

const named = (dim: string, names: readonly (readonly string[])[]): DataValue[] =>
  names.map((each, at) => ({ dim, value: at + 1, names: each }))
const texts = (dim: string, values: readonly string[]): DataValue[] =>
  values.map((value) => ({ dim, value, names: [] }))

/** Names and values as a region's data has them: keys are counted from 1. */
export const VALUES: readonly DataValue[] = [
  ...named('racecourse', [
    ['Sha Tin', '沙田', '沙田'],
    ['Happy Valley', '跑馬地', '跑马地'],
    ['Conghua', '從化', '从化'],
  ]),
  ...named('jockey', [
    ['Z Purton', '潘頓', '潘顿'],
    ['J Moreira', '莫雷拉', '莫雷拉'],
    ['K Teetan', '田泰安', '田泰安'],
    ['C Y Ho', '何澤堯', '何泽尧'],
    ['K C Leung', '梁家俊', '梁家俊'],
    ['D Whyte', '韋達', '韦达'],
    ['W L Ho', '何華麟', '何华麟'],
  ]),
  ...named('trainer', [
    ['J Size', '蔡約翰', '蔡约翰'],
    ['C S Shum', '沈集成', '沈集成'],
    ['A S Cruz', '告東尼', '告东尼'],
    ['D Whyte', '韋達', '韦达'],
    ['F C Lor', '羅富全', '罗富全'],
    ['C Fownes', '方嘉柏', '方嘉柏'],
  ]),
  ...named('horse', [
    ['Golden Sixty', '金鎗六十', '金枪六十'],
    ['Romantic Warrior', '浪漫勇士', '浪漫勇士'],
    ['Good Dreams', '好夢', '好梦'],
  ]),
  ...texts('going', [
    'good',
    'good_to_firm',
    'good_to_yielding',
    'yielding',
    'yielding_to_soft',
    'soft',
    'heavy',
    'awt_fast',
    'wet_fast',
    'wet_slow',
  ]),
  ...texts('track', ['turf', 'awt']),
  ...texts('course', ['A', 'A+3', 'B', 'B+2', 'C', 'C+3']),
  ...texts('class', [
    'C1',
    'C2',
    'C3',
    'C4',
    'C4R',
    'C5',
    'G1',
    'G2',
    'G3',
    'HKG1',
    'HKG3',
    'GRIFFIN',
    '4YO',
  ]),
  ...texts('gear', ['', 'B', 'B/TT', 'TT', 'H/TT', 'V', 'XB', 'CP']),
  ...texts('new_gear', ['', 'B', 'B/TT', 'TT', 'V']),
  ...texts('sire', ['Deep Field', 'Exceed And Excel']),
  ...texts('dam_sire', ['Exceed And Excel', 'Danehill']),
  ...texts('sex', ['gelding', 'horse', 'mare']),
  ...texts('owner', ['Paper Syndicate']),
  ...texts('country', ['AU', 'NZ', 'IE', 'GB']),
  ...texts('last_class', ['C1', 'C2', 'C3', 'C4', 'C5']),
]
