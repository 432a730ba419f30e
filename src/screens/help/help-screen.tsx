import { ArrowRight } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link, Navigate, NavLink, useNavigate, useParams } from 'react-router-dom'
import { SelectField } from '../../ui/fields/select.tsx'
import { HELP_TOPICS, type HelpTopic } from '../../ui/help-topics.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Stack } from '../../ui/layout.tsx'
import styles from './help-screen.module.css'

const TOPICS = Object.keys(HELP_TOPICS) as HelpTopic[]
/** Sections of a page, in two columns where there is room; a page has those that have messages. */
const COLUMNS = [
  ['what', 'use', 'limits'],
  ['figures', 'works', 'stored'],
] as const
type SectionName = (typeof COLUMNS)[number][number]
/** Elements of the sections that are not lists of points. */
const ELEMENTS: Partial<Record<SectionName, 'p' | 'ol'>> = { what: 'p', use: 'ol' }
/** A proper name, identical in every language. */
const PRODUCT = 'Furlong'
/** Minimum width at which the list of topics fits beside the page. */
const WITH_LIST = 1024

/** Tags within the messages: the subject of a paragraph, a formula, and an exponent in it. */
const TAGS = {
  b: (parts: ReactNode) => <strong>{parts}</strong>,
  f: (parts: ReactNode) => <span className={styles.formula}>{parts}</span>,
  e: (parts: ReactNode) => <sup>{parts}</sup>,
}

/** How a screen is used, how its figures are made, and their limits: one page per topic. */
export function HelpScreen() {
  const { topic } = useParams()
  const known = TOPICS.find((each) => each === topic)
  // A new page per topic, so that the focus moves to its heading.
  return known === undefined ? (
    <Navigate to="/pages/help/record" replace />
  ) : (
    <Help key={known} topic={known} />
  )
}

function Help({ topic }: { topic: HelpTopic }) {
  const intl = useIntl()
  const navigate = useNavigate()
  const withList = useWide(WITH_LIST)
  const word = (id: string): string => intl.formatMessage({ id })
  const title = word(`help.${topic}.title`)
  const screen = word('title.help')
  useEffect(() => {
    // The frame's effect runs after this one and names only the screen, not its topic.
    queueMicrotask(() => {
      document.title = [title, screen, PRODUCT].join(' · ')
    })
  }, [title, screen])
  return (
    <div className={styles.page}>
      {withList ? (
        <nav aria-label={word('help.topics')}>
          <ul className={styles.topics}>
            {TOPICS.map((each) => (
              <li key={each}>
                <NavLink to={`/pages/help/${each}`}>
                  <FormattedMessage id={`help.${each}.title`} />
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      ) : (
        <SelectField
          label={<FormattedMessage id="help.topics" />}
          value={topic}
          options={TOPICS.map((value) => ({ value, label: word(`help.${value}.title`) }))}
          onChange={(to) => void navigate(`/pages/help/${to}`)}
        />
      )}
      <Stack as="article">
        <header className={styles.head}>
          <h1>{title}</h1>
          <Link className={styles.open} to={HELP_TOPICS[topic]}>
            <FormattedMessage id={`help.${topic}.open`} />
            <ArrowRight aria-hidden="true" size={16} />
          </Link>
        </header>
        <div className={styles.text}>
          {COLUMNS.map((sections) => (
            <div key={sections[0]} className={styles.column}>
              {sections.map((section) => (
                <Section key={section} topic={topic} section={section} />
              ))}
            </div>
          ))}
        </div>
      </Stack>
    </div>
  )
}

/** A section's heading and its numbered messages; nothing if it has none. */
function Section({ topic, section }: { topic: HelpTopic; section: SectionName }) {
  const { messages } = useIntl()
  const ids: string[] = []
  for (let number = 1; `help.${topic}.${section}.${number}` in messages; number += 1)
    ids.push(`help.${topic}.${section}.${number}`)
  if (ids.length === 0) return null
  const Tag = ELEMENTS[section] ?? 'ul'
  return (
    <section data-section={section}>
      <FormattedMessage id={`help.section.${section}`} tagName="h2" />
      {Tag === 'p' ? (
        ids.map((id) => <FormattedMessage key={id} id={id} values={TAGS} tagName="p" />)
      ) : (
        <Tag>
          {ids.map((id) => (
            <FormattedMessage key={id} id={id} values={TAGS} tagName="li" />
          ))}
        </Tag>
      )}
    </section>
  )
}
