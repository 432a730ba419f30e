import { useIntl } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'

/** A time before the race, given in minutes, in words: days and hours where minutes would say little. */
export function useMinutesText(): (minutes: number) => string {
  const intl = useIntl()
  const format = useFormat()
  return (minutes) =>
    intl.formatMessage(
      { id: 'market.before' },
      minutes >= 2880
        ? { unit: 'days', count: format.integer(Math.round(minutes / 1440)) }
        : minutes >= 120
          ? { unit: 'hours', count: format.integer(Math.round(minutes / 60)) }
          : { unit: minutes <= 0 ? 'off' : 'minutes', count: format.integer(Math.round(minutes)) },
    )
}
