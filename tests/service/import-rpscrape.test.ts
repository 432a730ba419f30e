import { describe, expect, test } from 'vitest'
import { reportLines } from '../../server/drafts/report.ts'
import { RPSCRAPE_FORMAT } from '../../server/ingest/gb/rpscrape-format.ts'
import { explainFiles } from '../../server/ingest/explain.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import {
  changesOf,
  csv,
  importAs,
  rejectLines,
  storedRows,
  storedRunners,
  withDatabase,
  writeFiles,
} from '../support/import-files.ts'
import { dividends, PRESENT, race, races, row } from '../support/rpscrape-files.ts'

/** Its two older headers. */
const OF_2015 =
  'date,course,race_id,off,race_name,type,class,pattern,rating_band,age_band,sex_rest,dist,going,ran,num,pos,draw,ovr_btn,btn,horse,age,sex,wgt,hg,time,sp,jockey,trainer,prize,or,rpr,ts,sire,dam,damsire,owner,comment'
const OF_2020 =
  'Date,Course,Off,Name,Type,Class,Pattern,Rating_Band,Age_Band,Sex_Rest,Dist,Dist_Y,Dist_M,Dist_F,Going,Num,Pos,Ran,Draw,Btn,Ovr_Btn,Horse,SP,Dec,Age,Sex,Wgt,Lbs,HG,Time,Jockey,Trainer,OR,RPR,TS,Prize,Sire,Dam,Damsire,Owner,Comment'
const WITHOUT_NUMBERS =
  'date,course,time,race_name,class,band,distance,going,pos,draw,btn,name,sp,age,weight,gear,jockey,trainer,or,ts,rpr,prize,comment'

describe('rpscrape: results of Great Britain, Ireland and France', () => {
  test('a race with all its facts, in metres, pounds and instants', () =>
    withDatabase(async (place) => {
      const files = {
        'results.csv': csv(
          PRESENT,
          ...race({}, [
            { prize: '85065', hg: 'tp', or: '101' },
            { behind: '0.05', prize: '32250.50', or: '–' },
            { behind: '0.1', hg: 'h1t', draw: '' },
            { behind: '1.75', hg: 'e/s' },
            { behind: '2.4', dec: '', hg: 'q' },
          ]),
        ),
      }
      const report = await importAs(place, RPSCRAPE_FORMAT, files)
      expect([report.rejects, report.noted, report.differing]).toEqual([[], [], []])
      expect(report.unknown.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual(['unknown-gear hg: q'])
      expect(await races(place)).toEqual([
        {
          id: 'GBYRK2024061501',
          startsAt: '2024-06-15T13:15:00.000Z',
          nameEn: 'Made-up Brewery Stakes',
          raceClass: 'C4',
          track: 'turf',
          course: null,
          distanceM: 1207,
          going: 'good',
          ratingRange: '0-85',
          prizeCents: 11_731_550,
          winningTimeMs: 70_910,
          declaredStarters: 5,
          places: 2,
          regionId: '100826',
        },
      ])
      const runners = await place.database.rows<Record<string, unknown>>(
        `select horse_no, horse.name_en, jockey.name_en as jockey, trainer.name_en as trainer, draw, actual_weight_lb, rating, gear,
           place, margin, finish_time_ms, win_odds, jockey_id
         from runner join horse on horse.id = horse_id join jockey on jockey.id = jockey_id
         join trainer on trainer.id = trainer_id order by horse_no`,
      )
      expect(runners[0]).toEqual({
        horseNo: 1,
        nameEn: 'York 2:15 1 (IRE)',
        jockey: 'A Rider',
        trainer: 'B Trainer',
        draw: 1,
        actualWeightLb: 128,
        rating: 101,
        gear: 'TT/CP',
        place: 1,
        margin: null,
        finishTimeMs: 70_910,
        winOdds: 2.5,
        jockeyId: 'GB-A Rider',
      })
      expect(await place.database.rows('select distinct sire, dam, dam_sire from horse')).toEqual([
        { sire: 'Some Sire (IRE)', dam: 'Some Dam (GB)', damSire: 'Another' },
      ])
      expect(runners.map(({ margin }) => margin)).toEqual([null, 'N', 'SH', '1-3/4', '2.4'])
      expect(runners.map(({ gear }) => gear)).toEqual(['TT/CP', null, 'H1/TT', 'ES', null])
      expect(runners.map(({ rating }) => rating)).toEqual([101, null, 80, 80, 80])
      expect(runners.map(({ winOdds }) => winOdds)).toEqual([2.5, 3.5, 4.5, 5.5, null])
      expect(await dividends(place)).toEqual(['GBYRK2024061501 win 1 2500'])
      const before = await storedRows(place)
      expect(changesOf(await importAs(place, RPSCRAPE_FORMAT, files))).toBe(0)
      expect(await storedRows(place)).toEqual(before)
    }))

  test('races are numbered by the off, in the afternoon unless it is ten or later, over all files and both tracks', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, RPSCRAPE_FORMAT, {
        'a.csv': csv(
          PRESENT,
          ...race({ course: 'Lingfield', off: '1:05' }),
          ...race({ course: 'Lingfield (AW)', off: '12:30', going: 'Standard' }),
          ...race({ course: 'Dundalk (AW) (IRE)', region: 'IRE', off: '9:00', going: 'Standard To Slow' }),
        ),
        'b.csv': csv(
          PRESENT,
          ...race({ course: 'Lingfield', off: '11:50' }),
          ...race({ course: 'Dundalk (AW) (IRE)', region: 'IRE', off: '5:30', going: 'Slow' }),
        ),
      })
      expect(report.rejects).toEqual([])
      const stored = await races(place)
      expect(
        stored.map(({ id, startsAt, track, going }) => [id, String(startsAt).slice(11, 16), track, going]),
      ).toEqual([
        ['GBLIN2024061501', '10:50', 'turf', 'good'],
        ['GBLIN2024061502', '11:30', 'awt', 'standard'],
        ['GBLIN2024061503', '12:05', 'turf', 'good'],
        ['IEDUN2024061501', '16:30', 'awt', 'awt_slow'],
        ['IEDUN2024061502', '20:00', 'awt', 'standard_to_slow'],
      ])
    }))

  test(
    'jump races, patterns, prizes in euros, and a handicap of sixteen with four places',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        const jumps = { region: 'IRE', course: 'Galway (IRE)', raceClass: '', dist: '2m3f110y', metres: '' }
        const report = await importAs(place, RPSCRAPE_FORMAT, {
          'results.csv': csv(
            PRESENT,
            ...race({ ...jumps, off: '1:00', type: 'Hurdle', pattern: 'Grade 1', ran: 7 }, [
              { prize: '€1000.50' },
            ]),
            ...race({
              ...jumps,
              off: '2:00',
              type: 'Chase',
              pattern: 'Grade B',
              name: 'A Handicap Chase',
              ran: 16,
            }),
            ...race({
              ...jumps,
              off: '3:00',
              type: 'NH Flat',
              pattern: 'Listed',
              ran: 16,
              going: 'Good To Yielding',
            }),
            ...race(
              {
                region: 'FR',
                course: 'Auteuil (FR)',
                type: 'Hurdle',
                off: '12:05',
                pattern: 'Group 3',
                raceClass: '',
                going: 'Very Soft',
              },
              [{ prize: '500' }],
            ),
          ),
        })
        expect([report.rejects, report.unknown]).toEqual([[], []])
        // The French price is not what a bet is paid at.
        expect((await dividends(place)).map((shown) => shown.slice(0, 5))).toEqual([
          'IEGAL',
          'IEGAL',
          'IEGAL',
        ])
        const stored = await races(place)
        expect(
          stored.map((each) => [
            each['id'],
            each['raceClass'],
            each['course'],
            each['distanceM'],
            each['places'],
            each['prizeCents'],
          ]),
        ).toEqual([
          ['FRAUT2024061501', 'G3', 'hurdle', 1207, 2, null],
          ['IEGAL2024061501', 'GR1', 'hurdle', 3923, 2, 100_050],
          ['IEGAL2024061502', 'Grade B', 'chase', 3923, 4, null],
          ['IEGAL2024061503', 'L', null, 3923, 3, null],
        ])
      }),
  )

  test('places: pulled up and the like, a dead heat, a distance, and a void race', { tags: ['rest'] }, () =>
    withDatabase(async (place) => {
      const codes = ['PU', 'F', 'UR', 'BD', 'RO', 'RR', 'SU', 'REF', 'DSQ']
      const fallen = codes.map((pos) => ({ pos, behind: '-', time: '-' }))
      const report = await importAs(place, RPSCRAPE_FORMAT, {
        'results.csv': csv(
          PRESENT,
          ...race({ off: '2:00', ran: 14 }, [
            {},
            { pos: '1', behind: '0' },
            { pos: '3', behind: '62' },
            { pos: '4', behind: '161' },
            { pos: '5', behind: '99' },
            ...fallen,
          ]),
          ...race(
            { off: '2:30' },
            Array.from({ length: 5 }, () => ({ pos: 'VOI' })),
          ),
          ...race({ off: '3:00' }, [{}, {}, {}, {}, { pos: 'XX' }]),
        ),
      })
      expect(rejectLines(report.rejects)).toEqual([
        'results.csv:25 unknown-place-code',
        'results.csv:25 race-incomplete',
      ])
      expect(report.passedOver).toEqual({ 'runners of void races': 5 })
      // A bet of 10 at 2.5 or 3.5, of which half is on the winner.
      expect(await dividends(place)).toEqual(['GBYRK2024061501 win 1 1250', 'GBYRK2024061501 win 2 1750'])
      const runners = await storedRunners(place)
      expect(
        runners.slice(0, 5).map((each) => [each.place, each.deadHeat, each.margin, each.finishTimeMs]),
      ).toEqual([
        [1, true, null, 70_910],
        [1, true, null, 71_910],
        [3, false, '62', 72_910],
        [4, false, 'ML', null],
        [5, false, 'ML', null],
      ])
      expect(runners.slice(5).map(({ status, place: at, placeCode }) => [status, at, placeCode])).toEqual(
        codes.map((code) => ['unfinished', null, code]),
      )
    }),
  )

  test('a race with fewer runners than ran is left out, and so are runners without a number', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, RPSCRAPE_FORMAT, {
        'results.csv': csv(
          PRESENT,
          ...race({ off: '2:00' }).slice(0, 4),
          ...race({ off: '2:30' }),
          ...race({ off: '3:00' }, [{}, {}, {}, {}, { no: '' }]),
        ),
      })
      expect(rejectLines(report.rejects)).toEqual([
        ...[2, 3, 4, 5].map((line) => `results.csv:${line} runners-missing`),
        'results.csv:15 no-saddle-number',
        'results.csv:15 race-incomplete',
      ])
      expect(report.rejects[0]!.detail).toBe('GBYRK 2024-06-15 14:00: 4 of 5')
      // The race that is left out keeps its number.
      expect((await races(place)).map(({ id }) => id)).toEqual(['GBYRK2024061502'])
    }))

  test(
    'races of other countries and runners without saddle numbers are counted, unknown courses are refused',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        const report = await importAs(place, RPSCRAPE_FORMAT, {
          'old.csv': csv(
            WITHOUT_NUMBERS,
            '10 Nov 2018,Amiens,5:45,Prix Inventé,not found,3yo,1m,Very Soft,1,6,,A Horse,7/5F,3,9-2,p,A Rider,B Trainer,,,83,7079.65,',
          ),
          'results.csv': csv(
            PRESENT,
            ...race({ region: 'HK', course: 'Sha Tin (HK)' }),
            ...race({ region: 'AUS', course: 'Newcastle (AUS)' }),
            ...race({ course: 'Newcastle (AW)', going: 'Standard' }),
            ...race({ region: 'FR', course: 'Nowhere-Sur-Mer (FR)' }),
          ),
        })
        expect(report.passedOver).toEqual({
          'runners in HK': 5,
          'runners in AUS': 5,
          'runners without saddle numbers': 1,
        })
        expect(reportLines(report).join('\n')).toContain('passed over: 5 (runners in HK)')
        expect(new Set(rejectLines(report.rejects).map((text) => text.split(' ')[1]))).toEqual(
          new Set(['unknown-venue']),
        )
        expect((await races(place)).map(({ id }) => id)).toEqual(['GBNCS2024061501'])
      }),
  )
})

describe('older layouts', () => {
  const old = (no: number, of: { sp: string; wgt?: string; pos?: string }): string =>
    `2015-04-26,Kempton (AW),6224,5:45,A Handicap,Flat,Class 5,,0-70,4yo+,,1m2½f,Standard,3,${no}.0,${of.pos ?? `${no}.0`},${no}.0,${no},1,Old Kettle ${no} (GB),5,G,${of.wgt ?? '8-12'},v,2:10.2${no},${of.sp},A Rider,B Trainer,,6${no},62,–,Sire (USA),Dam GB,Sire,An Owner,`
  const of2020 = (no: number, off: string): string =>
    `2020-06-03,kempton-aw,${off},A Handicap,,Class 5,,0-75,3yo,,5f,1100,1006,5f,Standard To Slow,${no},${no},3,${no},${no - 1},${no - 1},Newer Kettle ${no} (GB),${no}/1,${no + 1}.00,4,G,9-4,130,b1,0:59.6${no},A Rider,B Trainer,7${no},81,77,100.00,Some Sire (IRE),Some Dam (GB),Another,An Owner,`

  test('2015: no region, fractions, stones, numbers as 6.0', { tags: ['rest'] }, () =>
    withDatabase(async (place) => {
      const file = csv(
        OF_2015,
        old(1, { sp: 'EvensF' }),
        old(2, { sp: '100/30', wgt: '11-7' }),
        old(3, { sp: 'No Odds' }),
      )
      const report = await importAs(place, RPSCRAPE_FORMAT, { 'results.csv': file })
      expect([report.rejects, report.unknown]).toEqual([[], []])
      expect((await races(place)).map(({ id, distanceM, places }) => [id, distanceM, places])).toEqual([
        ['GBKEM2015042601', 2112, 0],
      ])
      const runners = await place.database.rows<Record<string, unknown>>(
        'select horse_no, place, draw, actual_weight_lb as lb, win_odds from runner order by 1',
      )
      expect(runners).toEqual([
        { horseNo: 1, place: 1, draw: 1, lb: 124, winOdds: 2 },
        { horseNo: 2, place: 2, draw: 2, lb: 161, winOdds: expect.closeTo(100 / 30 + 1, 3) },
        { horseNo: 3, place: 3, draw: 3, lb: 124, winOdds: null },
      ])
    }),
  )

  test(
    '2020: capitals and the ends of addresses; the same races in two layouts are there once',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        const of = (off: string): string[] => [1, 2, 3].map((no) => of2020(no, off))
        const files = {
          'results.csv': csv(
            OF_2020,
            ...of('1:35'),
            ...of('1:00').map((text) => text.replaceAll('Newer', 'Other')),
          ),
        }
        expect((await importAs(place, RPSCRAPE_FORMAT, files)).rejects).toEqual([])
        expect(
          (await races(place)).map(({ id, track, winningTimeMs }) => [id, track, winningTimeMs]),
        ).toEqual([
          ['GBKEM2020060301', 'awt', 59_610],
          ['GBKEM2020060302', 'awt', 59_610],
        ])
        const [first] = await place.database.rows<Record<string, unknown>>(
          'select gear, win_odds from runner where horse_no = 1 order by race_id',
        )
        expect(first).toEqual({ gear: 'B1', winOdds: 2 })
        const present = [1, 2, 3].map((no) =>
          row(
            {
              date: '2020-06-03',
              course: 'Kempton (AW)',
              off: '1:00',
              name: 'A Handicap',
              raceClass: 'Class 5',
              band: '0-75',
              metres: '1006',
              going: 'Standard To Slow',
              ran: 3,
            },
            {
              no: String(no),
              behind: String(no - 1),
              horse: `Other Kettle ${no} (GB)`,
              lbs: '130',
              hg: 'b1',
              time: `0:59.6${no}`,
              dec: `${no + 1}.00`,
              or: `7${no}`,
              prize: '100.00',
            },
          ),
        )
        const again = await importAs(place, RPSCRAPE_FORMAT, { 'results.csv': csv(PRESENT, ...present) })
        expect([again.rejects, again.differing, changesOf(again)]).toEqual([[], [], 0])
      }),
  )

  test('another race that is stored under a counted number is kept, and said', { tags: ['rest'] }, () =>
    withDatabase(async (place) => {
      const two = [...race({ off: '2:00' }), ...race({ off: '2:30' })]
      await importAs(place, RPSCRAPE_FORMAT, { 'whole.csv': csv(PRESENT, ...two) })
      const before = await storedRows(place)
      const report = await importAs(place, RPSCRAPE_FORMAT, { 'part.csv': csv(PRESENT, ...two.slice(5)) })
      expect(rejectLines(report.rejects)).toEqual(['part.csv:2 other-horses'])
      expect(await storedRows(place)).toEqual(before)
    }),
  )
})

test(
  'all layouts are recognised by their columns, and an explanation shows what is read and what is not',
  { tags: ['rest'] },
  async () => {
    for (const header of [PRESENT, OF_2015, OF_2020]) {
      const folder = writeFiles({ 'results.csv': csv(header) })
      expect((await formatNamed('auto', [folder])).format.name).toBe('rpscrape')
    }
    const explained = await explainFiles(
      [writeFiles({ 'results.csv': csv(PRESENT, ...race()) })],
      'auto',
      null,
    )
    const columns = explained.files[0]!.columns.filter(({ isRead }) => !isRead).map(({ column }) => column)
    expect(columns).toEqual(expect.arrayContaining(['rpr', 'comment', 'btn']))
    expect(columns).not.toContain('dec')
  },
)
