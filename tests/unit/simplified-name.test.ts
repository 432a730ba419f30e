import { expect, test } from 'vitest'
import { nameCells } from '../../server/store/racing/racing-tables.ts'

test.each([
  ['金鎗六十', '金枪六十'],
  ['浪漫勇士', '浪漫勇士'],
  ['嘉應高昇', '嘉应高升'],
  ['乾坤大挪移', '乾坤大挪移'],
  ['第四班讓賽', '第四班让赛'],
  ['Golden 金里', 'Golden 金里'],
])('%s is %s in Simplified Chinese', (hant, hans) => {
  expect(nameCells({ en: null, hant, hans: null }).nameHans).toBe(hans)
})

test('a name of the source is kept, and nothing is made of nothing', () => {
  expect(nameCells({ en: 'A', hant: '金鎗六十', hans: '金枪60' })).toEqual({
    nameEn: 'A',
    nameHant: '金鎗六十',
    nameHans: '金枪60',
  })
  expect(nameCells({ en: 'A', hant: null, hans: null }).nameHans).toBeNull()
})
