import { PAGES, type PagePath } from '../../src/data/pages.ts'

/** Addresses at which a screen has content, where its path alone is not enough; `{race}`, `{horse}` and `{other}` are ids. */
const ADDRESSES: Readonly<Partial<Record<PagePath, readonly string[]>>> = {
  '/pages/common/webviewPage': ['?url=.%2Flegal%2Fterms.en.html&title=Terms'],
  '/pages/race/HorseRace': ['?id={race}', '?id={race}&source=pr&tab=1'],
  '/pages/race/HorseDetail': ['?id={horse}'],
  '/pages/race/HeadToHead': ['?id={horse}&other={other}', '?id={horse}'],
  '/pages/race/WinLossRecord': ['', '?tab=lab'],
  '/pages/race/ReportView': ['?id={race}'],
  '/pages/race/vippay': ['?id=4'],
  '/pages/user/fyorder': ['?detail=%7B%22tag%22%3A%22obligation%22%7D'],
  '/pages/common/preview-image': ['?urls=.%2Ficon-512.png'],
  '/pages/common/open-location': ['?id=HKSHT'],
  '/pages/help/:topic': ['record', 'lab', 'chances'],
}

/** The addresses of a screen behind the hash. */
export const addressesOf = (path: PagePath): string[] =>
  (ADDRESSES[path] ?? ['']).map((rest) =>
    path.includes('/:') ? path.replace(/:\w+$/, rest) : `${path}${rest}`,
  )

/** Every address that is opened: home in both ways, each screen, one of an older build, and one that is unknown. */
export const ROUTES: readonly string[] = [
  '/',
  '/pages/index/index',
  ...PAGES.flatMap(({ path }) => addressesOf(path)),
  '/pages/foot/vipactivationlog',
  '/pages/no/such/page',
]
