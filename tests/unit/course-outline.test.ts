import { describe, expect, test } from 'vitest'
import { outlineOf, pointBefore, roundOf, wayOf } from '../../domain/course-outline.ts'
import { isMeasured } from '../../domain/measured-courses.ts'

const outline = (stadium: string, trackType: string, course: string | null) =>
  outlineOf({ raceId: `${stadium}2026010401`, trackType, course })

const shaTin = outline('HKSHT', 'turf', 'A')!
const metres = (points: readonly { x: number; y: number }[]): number =>
  points.slice(1).reduce((sum, { x, y }, at) => sum + Math.hypot(x - points[at]!.x, y - points[at]!.y), 0)

describe('the start of a race', () => {
  test.each([
    ['turf', 'A', 1900],
    ['awt', null, 1560],
  ])('is the winning post again after a round: Sha Tin, %s', (trackType, course, round) => {
    const shown = outline('HKSHT', trackType, course)!
    expect(roundOf(shown)).toBeCloseTo(round)
    expect(pointBefore(shown, round).x).toBeCloseTo(pointBefore(shown, 0).x)
    expect(pointBefore(shown, round + 100).x).toBeCloseTo(pointBefore(shown, 100).x)
  })

  test('is as far from the post as its distance, on the straight, in each bend and on the far side', () => {
    const { sideM, radiusM, straightM } = shaTin
    // Within the straight, and where it begins.
    const post = pointBefore(shaTin, 0)
    expect(pointBefore(shaTin, 200)).toEqual({ x: post.x + 200, y: radiusM })
    expect(pointBefore(shaTin, straightM).x).toBeCloseTo(sideM / 2)
    // The middle of the last bend is at the far right: the field comes down there, which is clockwise.
    const bend = Math.PI * radiusM
    const middle = pointBefore(shaTin, straightM + bend / 2)
    expect(middle.x).toBeCloseTo(sideM / 2 + radiusM)
    expect(middle.y).toBeCloseTo(0)
    // The far side is run to the right.
    expect(pointBefore(shaTin, straightM + bend + 100)).toMatchObject({ y: -radiusM })
    expect(pointBefore(shaTin, straightM + bend + 100).x).toBeCloseTo(sideM / 2 - 100)
    expect(pointBefore(shaTin, straightM + bend + sideM + bend / 2).x).toBeCloseTo(-sideM / 2 - radiusM)
  })

  test('is joined to the post by a way of its distance', () => {
    for (const distance of [1200, 1650, 2400]) {
      const way = wayOf(shaTin, distance)
      expect(way.at(-1)).toEqual(pointBefore(shaTin, 0))
      expect(Math.abs(metres(way) - distance)).toBeLessThan(3)
    }
  })

  test('of the race on the straight alone is on it, before the bend', () => {
    const way = wayOf(shaTin, 1000)
    expect(metres(way)).toBeCloseTo(1000)
    expect(way[0]!.y).toBe(way[1]!.y)
    expect(way[0]!.x).toBeGreaterThan(shaTin.sideM / 2 + shaTin.radiusM)
  })
})

test('a rail that is moved out makes the course narrower and the round longer', () => {
  const moved = outline('HKHAV', 'turf', 'C+3')!
  const inner = outline('HKHAV', 'turf', 'A')!
  expect(moved.widthM + moved.movedM).toBeCloseTo(inner.widthM)
  expect(roundOf(moved) - roundOf(inner)).toBeCloseTo(2 * Math.PI * 11)
})

test.each([
  ['AURND', 'turf', 'A'],
  ['HKSHT', 'turf', 'D'],
  ['HKSHT', 'turf', null],
  ['HKHAV', 'awt', null],
])('a course without measures has no outline: %s %s %s', (stadium, trackType, course) => {
  expect(outline(stadium, trackType, course)).toBeNull()
})

test('a racecourse is measured if a course of it has an outline', () => {
  const stadiums = ['HKSHT', 'HKHAV', 'AURND', 'GBYRK', 'JPTOK', 'USSAX', 'HKXXX']
  expect(stadiums.filter((stadium) => isMeasured(`${stadium}2026010401`))).toEqual(
    stadiums.filter((stadium) => outline(stadium, 'turf', 'A') !== null),
  )
})
