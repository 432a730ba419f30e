/** An event for a reader's calendar. */
export interface CalendarEvent {
  id: string
  title: string
  /** Start as an instant, UTC; without one the event takes the whole day. */
  start: string | null
  /** `yyyy-mm-dd` at the racecourse. */
  date: string
  url: string
}

/** How long before an event with a time the calendar reminds of it. */
const REMINDER = '-PT1H'
/** Octets of a line that is not folded. */
const LINE = 75

/** Letters that end a value are escaped (RFC 5545, section 3.3.11). */
const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\n`)

const stamp = (iso: string): string => iso.replaceAll(/[-:]|\.\d+/g, '')

/** Length of a character in UTF-8. */
const octetsOf = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)

/** Long lines go on in the next one, which begins with a space; a character is not divided (RFC 5545, section 3.1). */
function folded(line: string): string {
  const lines = ['']
  let octets = 0
  for (const character of line) {
    const size = octetsOf(character.codePointAt(0)!)
    if (octets + size > LINE) {
      lines.push(' ')
      octets = 1
    }
    lines[lines.length - 1] += character
    octets += size
  }
  return lines.join('\r\n')
}

/** A calendar file (RFC 5545) with one event and a reminder; `now` is when it was made, an instant. */
export function calendarFile({ id, title, start, date, url }: CalendarEvent, now: string): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Furlong//Fixtures//EN',
    'BEGIN:VEVENT',
    `UID:${id}@furlong`,
    `DTSTAMP:${stamp(now)}`,
    start === null ? `DTSTART;VALUE=DATE:${date.replaceAll('-', '')}` : `DTSTART:${stamp(start)}`,
    `SUMMARY:${escaped(title)}`,
    `URL:${url}`,
    ...(start === null
      ? []
      : [
          'BEGIN:VALARM',
          'ACTION:DISPLAY',
          `DESCRIPTION:${escaped(title)}`,
          `TRIGGER:${REMINDER}`,
          'END:VALARM',
        ]),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}
