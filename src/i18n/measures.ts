import type { IntlShape } from 'react-intl'
import { habitualDistance, habitualWeight } from '../../domain/habits.ts'
import type { Format } from './format.ts'

interface Ground {
  intl: IntlShape
  format: Format
}

const beside = ({ intl }: Ground, measure: string, habit: string | null): string =>
  habit === null ? measure : intl.formatMessage({ id: 'race.beside' }, { measure, habit })

/** A distance in metres, and as racing people of the race's region have it in mind. */
export const distanceText = (ground: Ground, metres: number, raceId: string): string =>
  beside(
    ground,
    ground.intl.formatMessage({ id: 'record.metres' }, { metres: ground.format.integer(metres) }),
    habitualDistance(metres, raceId),
  )

/** The same below a heading that says that it is in metres. */
export const distanceNumber = (ground: Ground, metres: number, raceId: string): string =>
  beside(ground, ground.format.integer(metres), habitualDistance(metres, raceId))

function habitOf({ intl, format }: Ground, pounds: number, id: string): string | null {
  const habit = habitualWeight(pounds, id)
  if (habit === null || habit.unit === 'stones') return habit?.text ?? null
  return intl.formatMessage({ id: 'race.kilograms' }, { kilograms: format.decimal(habit.kilograms, 1) })
}

/** A weight in pounds, and as racing people of the region have it in mind. `id`: of the race or the horse. */
export const weightText = (ground: Ground, pounds: number, id: string): string =>
  beside(
    ground,
    ground.intl.formatMessage({ id: 'race.pounds' }, { pounds: ground.format.integer(pounds) }),
    habitOf(ground, pounds, id),
  )

/** The same below a heading that says that it is in pounds; `null` for an unknown one. */
export const weightNumber = (ground: Ground, pounds: number | null, id: string): string | null =>
  pounds === null ? null : beside(ground, ground.format.integer(pounds), habitOf(ground, pounds, id))
