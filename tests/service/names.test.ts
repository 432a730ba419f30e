// @module-tag rest
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queryHorseInfo, queryRaceHorse } from '../../contract/api/horse.ts'
import { queryRaceCompetitor, queryRaceInfo } from '../../contract/api/racing.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import { allOf } from '../../analytics/filter.ts'
import type { Access } from '../../analytics/source.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { NativeEngine, type Row } from '../support/native.ts'

/** Names as an operator's own data have them: most in one language only, some in none. */

const REGION = '100000'
let server: TestServer
let native: NativeEngine

beforeAll(async () => {
  const place = await newSmallSeason('postgresql')
  await place.database.script(`
    update horse set name_en = null where key % 2 = 0;
    update horse set name_en = null, name_hant = null, name_hans = null where key % 7 = 0;
    update jockey set name_en = null where key % 2 = 0;
    update trainer set name_en = null where key % 3 = 0;
    update race set name_en = null;
    update partition_revision set revision = revision + 1;
  `)
  await buildDataset(place.database, place.dataFolder, DEMO_DAY)
  server = await TestServer.start(place, { time: () => DEMO_DAY })
  native = await NativeEngine.open(place.dataFolder, REGION, MODEL_IDS)
})
afterAll(async () => {
  await server.close()
  await server.place.close()
})

interface Named {
  key: number
  brand: string
  en: string | null
  hant: string | null
  hans: string | null
}
const named = (table: string): Promise<Named[]> =>
  server.database.rows(
    `select key, ${table === 'horse' ? 'brand' : 'id'} as brand, name_en as en, name_hant as hant, name_hans as hans
     from ${table} where region_id = '${REGION}'`,
  )
const shown = (language: 'en' | 'hant' | 'hans', names: Named, ofHorse = false): string | null => {
  // A reader of English cannot read the others: of a horse, its brand is shown.
  if (ofHorse && language === 'en') return names.en
  const order = {
    en: ['en', 'hant', 'hans'],
    hant: ['hant', 'hans', 'en'],
    hans: ['hans', 'hant', 'en'],
  } as const
  return order[language].map((each) => names[each]).find((name) => name !== null) ?? null
}

describe('of several names each falls back by itself', () => {
  const COLUMNS = ['en', 'hant', 'hans'] as const

  test('of a jockey and a trainer', async () => {
    const [jockeys, trainers] = await Promise.all(['jockey', 'trainer'].map(named))
    const { sql } = planRequest(
      {
        aggregate: {
          model: 'predictions',
          by: ['jockey_trainer'],
          measures: ['predictions'],
          where: allOf(
            { dim: 'model', in: ['market-baseline'] },
            { dim: 'origin', in: ['backtest'] },
            { dim: 'bet_type', in: [1] },
          )!,
        },
      },
      { scope: 'all' },
    )
    const rows = await native.rows(sql)
    expect(rows.length).toBeGreaterThan(20)
    const kinds = new Set<string>()
    for (const row of rows.filter((each) => each['jockey_trainer'] !== null)) {
      const pair = Number(row['jockey_trainer'])
      const jockey = jockeys!.find(({ key }) => key === Math.floor(pair / 32_768))!
      const trainer = trainers!.find(({ key }) => key === pair % 32_768)!
      kinds.add(`${jockey.en === null} ${trainer.en === null}`)
      for (const column of COLUMNS)
        expect(row[`jockey_trainer_${column}`]).toBe(`${shown(column, jockey)} / ${shown(column, trainer)}`)
    }
    expect([...kinds].toSorted()).toEqual(['false false', 'false true', 'true false', 'true true'])
  })

  test('of the horses of a combination, and a horse without any name that can be read has its brand', async () => {
    const horses = new Map((await named('horse')).map((horse) => [horse.key, horse]))
    const columns = [
      'race_id',
      'combination',
      ...COLUMNS.flatMap((each) => [`horses_${each}`, `race_name_${each}`]),
    ]
    const { sql } = planRequest(
      {
        rows: {
          model: 'predictions',
          columns,
          where: allOf({ dim: 'bet_type', in: [1, 3, 7, 9] })!,
          sort: [],
          offset: 0,
          limit: 500,
        },
      },
      { scope: 'all' },
    )
    const rows: Row[] = await native.rows(sql)
    const runners = await server.database.rows<{ raceId: string; no: number; key: number }>(
      `select race_id, horse_no as no, horse.key from runner join horse on horse.id = horse_id`,
    )
    const keyOf = new Map(runners.map(({ raceId, no, key }) => [`${raceId} ${no}`, key]))
    let mixed = 0
    for (const row of rows) {
      const found = String(row['combination'])
        .split('-')
        .map((no) => horses.get(keyOf.get(`${String(row['race_id'])} ${no}`)!)!)
      for (const column of COLUMNS)
        expect(row[`horses_${column}`]).toBe(
          found.map((horse) => shown(column, horse, true) ?? horse.brand).join(' · '),
        )
      expect(row['race_name_en']).toBe(row['race_name_hant'])
      if (found.some(({ en }) => en === null) && found.some(({ en }) => en !== null)) mixed += 1
    }
    expect(mixed).toBeGreaterThan(20)
  })
})

test('a horse in a breakdown has its brand where its reader could read no name', async () => {
  const horses = new Map((await named('horse')).map((horse) => [horse.key, horse]))
  const { sql } = planRequest(
    {
      aggregate: {
        model: 'predictions',
        by: ['horse'],
        measures: ['predictions'],
        where: allOf(
          { dim: 'model', in: ['market-baseline'] },
          { dim: 'origin', in: ['backtest'] },
          { dim: 'bet_type', in: [1] },
        )!,
      },
    },
    { scope: 'all' },
  )
  const rows = (await native.rows(sql)).filter(({ horse }) => horse !== null)
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) {
    const horse = horses.get(Number(row['horse']))!
    expect(row['horse_en']).toBe(horse.en ?? horse.brand)
    expect(row['horse_hant']).toBe(horse.hant)
  }
})

test.each(['horse', 'jockey', 'trainer'])(
  'a group by %s has the id by which the calls know it, where its rows may be seen',
  async (dim) => {
    const stored = await server.database.rows<{ key: number; id: string }>(
      `select key, id from ${dim} where region_id = '${REGION}'`,
    )
    const idOf = new Map(stored.map(({ key, id }) => [key, id]))
    const where = allOf(
      { dim: 'model', in: ['market-baseline'] },
      { dim: 'origin', in: ['backtest'] },
      { dim: 'bet_type', in: [1] },
    )!
    const planned = (access: Access) =>
      planRequest(
        { aggregate: { model: 'predictions', by: [dim], measures: ['predictions'], where } },
        access,
      )
    const [race] = await native.rows('select max(race_key)::integer as key from prediction')
    const numbers: number[] = []
    for (const access of [{ scope: 'all' }, { scope: 'races', raceKeys: [Number(race!['key'])] }] as const) {
      const { sql, columns } = planned(access)
      expect(columns.map(({ name }) => name).slice(0, 5)).toEqual(
        ['', '_en', '_hant', '_hans', '_id'].map((end) => `${dim}${end}`),
      )
      const rows = await native.rows(sql)
      for (const row of rows)
        expect(row[`${dim}_id`]).toBe(row[dim] === null ? null : idOf.get(Number(row[dim])))
      numbers.push(rows.length)
    }
    expect(numbers[1]).toBeGreaterThan(3)
    expect(numbers[0]).toBeGreaterThan(numbers[1]!)
    expect(() => planned({ scope: 'public' })).toThrow('vip-needed')
  },
)

test('jockeys, trainers and races say in which language their names are', async () => {
  const [jockeys, trainers] = await Promise.all(['jockey', 'trainer'].map(named))
  const [race] = await server.database.rows<{ id: string }>(
    `select id from race where region_id = '${REGION}' and status = 'final' order by race_date desc, id limit 1`,
  )
  const query = { raceId: race!.id }
  const languages = new Set<string | null>()
  for (const language of ['en', 'zh-Hans'] as const) {
    const column = language === 'en' ? 'en' : 'hans'
    const of = (people: readonly Named[], name: string | null) =>
      people.find((person) => name !== null && shown(column, person) === name)!
    for (const runner of await server.ask(queryRaceCompetitor, { query, language })) {
      const isOwn = ({ en }: Named) => (language === 'en' ? en !== null : true)
      const jockey = of(jockeys!, runner.jockey)
      const trainer = of(trainers!, runner.trainer)
      expect([runner.jockeyLanguage, runner.trainerLanguage]).toEqual([
        isOwn(jockey) ? language : 'zh-Hant',
        isOwn(trainer) ? language : 'zh-Hant',
      ])
      languages.add(runner.jockeyLanguage)
      const horse = await server.ask(queryHorseInfo, { query: { id: runner.horseId }, language })
      expect(horse.form.find(({ raceId }) => raceId === race!.id)!.jockeyLanguage).toBe(runner.jockeyLanguage)
    }
  }
  expect([...languages].toSorted()).toEqual(['en', 'zh-Hans', 'zh-Hant'])
  // No race has an English name here.
  const info = await server.ask(queryRaceInfo, { query, language: 'en' })
  expect(info.nameLanguage).toBe(info.name === null ? null : 'zh-Hant')
})

test('an owner, of whom files have one name, is written in the characters of the reader', async () => {
  const [horse] = await server.database.rows<{ id: string }>(
    `update horse set owner = '顏炳誠' where id = (select min(id) from horse where region_id = '${REGION}') returning id`,
  )
  const ownerIn = async (language: 'zh-Hant' | 'zh-Hans') =>
    (await server.ask(queryHorseInfo, { query: { id: horse!.id }, language })).owner
  expect([await ownerIn('zh-Hant'), await ownerIn('zh-Hans')]).toEqual(['顏炳誠', '颜炳诚'])
})

describe('the list of horses', () => {
  const list = (text?: string, pageNo = 1) =>
    server.ask(queryRaceHorse, {
      query: { countryRegionId: REGION, pageNo, pageSize: 10, ...(text === undefined ? {} : { text }) },
      language: 'en',
    })

  test('begins with those that ran last, or are to run next', async () => {
    await server.database.rows(
      `delete from runner where race_id in (select id from race where race_date > '2026-11-10') and horse_id in
         (select id from horse where key >= (select max(key) from horse) - 20)`,
    )
    const runs = await server.database.rows<{ id: string; day: string | null }>(
      `select horse.id, max(race_date) as day from horse left join runner on horse_id = horse.id
       left join race on race.id = race_id where horse.region_id = '${REGION}' group by horse.id`,
    )
    const dayOf = new Map(runs.map(({ id, day }) => [id, day ?? '']))
    const seen: string[] = []
    const { total } = await list()
    for (let page = 1; page <= Math.ceil(total / 10); page += 1)
      seen.push(...(await list(undefined, page)).records.map(({ id }) => id))
    expect(new Set(seen).size).toBe(total)
    const days = seen.map((id) => dayOf.get(id)!)
    expect(days).toEqual(days.toSorted((a, b) => b.localeCompare(a)))
    expect(new Set(days).size).toBeGreaterThan(1)
  })

  test('shows a name in the reader’s language, else what it can be found by', async () => {
    const horses = new Map((await named('horse')).map((horse) => [horse.brand, horse]))
    const { records } = await list()
    expect(records.some(({ nameLanguage }) => nameLanguage === null)).toBe(true)
    for (const { number, name, nameLanguage } of records) {
      const { en } = horses.get(number)!
      expect([name, nameLanguage]).toEqual(en === null ? [number, null] : [en, 'en'])
    }
  })

  test('shows a brand that is the name in other letters as the name', async () => {
    const horses = await server.database.rows<{ id: string; brand: string }>(
      `select id, brand from horse where region_id = '${REGION}' and name_en is not null order by key limit 3`,
    )
    const known = [
      ['TRIAL’S HORSE (IRE)', 'Trial’s Horse (IRE)'],
      ['TrialsHorseIRE', 'Trial’s Horse (IRE)'],
      ['TRIALS HORSE', 'TRIALS HORSE'],
    ] as const
    for (const [index, [brand, number]] of known.entries()) {
      const { id, brand: before } = horses[index]!
      const change = (sql: string, value: string) =>
        server.database.rows(`update horse set ${sql} where id = $1`, [id, value])
      await change(`name_en = 'Trial’s Horse (IRE)', brand = $2`, brand)
      const found = await server.ask(queryHorseInfo, { query: { id }, language: 'en' })
      expect([found.name, found.number]).toEqual(['Trial’s Horse (IRE)', number])
      await change('brand = $2', before)
    }
  })

  test('is searched in every language that a name is known in, whatever the reader’s', async () => {
    const horse = (await named('horse')).find(
      ({ en, hant, hans }) => en !== null && hant !== null && hans !== null && hant !== hans,
    )
    for (const text of [horse!.en!, horse!.en!.toUpperCase(), horse!.hant!, horse!.hans!, horse!.brand])
      expect((await list(text)).records.map(({ number }) => number)).toContain(horse!.brand)
    expect((await list('no such horse')).records).toEqual([])
  })
})
