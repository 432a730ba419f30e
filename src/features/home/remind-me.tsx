import { CalendarPlus } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { calendarFile } from '../../../domain/calendar-file.ts'
import type { ScheduledRace } from '../../../contract/api/racing.ts'
import { racePath } from '../../data/race-path.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { Button } from '../../ui/button.tsx'

/** Makes a file with a meeting's first known race for the reader's own calendar, on the device. */
export default function RemindMe(props: RemindMeProps) {
  return (
    <ExtraTexts part="race-day" waiting={null}>
      <Remind {...props} />
    </ExtraTexts>
  )
}

interface RemindMeProps {
  race: ScheduledRace
}

function Remind({ race }: RemindMeProps) {
  const intl = useIntl()
  const save = (): void => {
    const event = {
      id: race.id,
      title: intl.formatMessage(
        { id: 'home.remind.title' },
        { course: race.stadiumName, number: race.stadiumNum },
      ),
      start: race.competitionDate,
      date: race.date,
      url: `${globalThis.location.href.split('#')[0]}#${racePath(race.id, 'schedule')}`,
    }
    const file = calendarFile(event, new Date().toISOString())
    saveFile(`${race.id}.ics`, new Blob([file], { type: 'text/calendar' }))
  }
  return (
    <Button onClick={save}>
      <CalendarPlus aria-hidden="true" size={16} /> <FormattedMessage id="home.remind" />
    </Button>
  )
}
