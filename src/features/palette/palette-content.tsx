import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { Bookmark, ChartColumn, Clock, Flag, History, Medal, PanelTop, Swords, Zap } from 'lucide-react'
import { Suspense, useDeferredValue, useState } from 'react'
import {
  Autocomplete,
  Header,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  SearchField,
  useFilter,
} from 'react-aria-components'
import { FormattedMessage, useIntl } from 'react-intl'
import { useLocation, useNavigate } from 'react-router-dom'
import { LANGUAGE_RULES } from '../../../domain/languages.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { addDays } from '../../../domain/region.ts'
import { queryHorseInfo, queryRaceHorse, type Horse } from '../../../contract/api/horse.ts'
import { queryRaceInfo, queryRacePageDesc, type ScheduledRace } from '../../../contract/api/racing.ts'
import { querySavedViews } from '../../../contract/api/view.ts'
import { searchEntries } from '../../data/pages.ts'
import { useToken } from '../../data/client/session.ts'
import { useSchedule } from '../../data/use-racing.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { inTab } from '../../storage/stored-text.ts'
import { applyTheme, THEMES } from '../../ui/behaviour/theme.ts'
import { Skeleton } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'
import { headToHeadPath } from '../../data/head-to-head-path.ts'
import type { FoundQuestion, QuestionReader } from './found-question.ts'
import { useHeadToHeadPairs } from './head-to-head-pairs.ts'
import styles from './palette.module.css'
import { queryFor } from '../../data/client/call.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

const HORSES = 8
/** The chips of a question with one condition: its rows, and the condition. */
const CHIPS_OF_ONE = 2
const RACES = 8
/** Number of past races that are requested, newest first: about a month before today or before the typed day. */
const PAST_RACES = 100
/** `2026-1-9`, `2026-01-09` and `2026年1月9日`. */
const NUMBERED_DAY = /(\d{4})[-年](\d{1,2})[-月](\d{1,2})/
/** `9 Jan 2026` */
const NAMED_DAY = /(\d{1,2})\s+(\p{L}{3,})\.?\s+(\d{4})/u
const MAX_TEXT = 120
/** Longer texts are questions: no name of a horse is as long, and the server refuses them. */
const MAX_NAME = 40
const MONTHS = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'))

/**
 * Finds a day in a text, as the files have it or as the screens show it, as `yyyy-mm-dd`; `undefined` if there is none.
 */
function dayIn(text: string, format: Format): string | undefined {
  const [, year, month = '', day = ''] = NUMBERED_DAY.exec(text) ?? []
  if (year !== undefined) return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const [, date = '', name = '', of] = NAMED_DAY.exec(text) ?? []
  const begins = name.slice(0, 3).toLowerCase()
  const found = MONTHS.find((each) => format.month(`2024-${each}`).toLowerCase().startsWith(begins))
  return of === undefined || found === undefined ? undefined : `${of}-${found}-${date.padStart(2, '0')}`
}

interface Entry {
  /** Target of the link. */
  to: string
  label: string
  /** The key that does the same without the search. */
  shortcut?: string | undefined
  /** Shown beside the label, and searched too. */
  hint?: string
  /** Searched, but not shown. */
  words?: string
  /** Language of the page in which it was chosen. */
  language?: string
  /** Languages of names, where they may be others than the page's. */
  labelLanguage?: string | null
  hintLanguage?: string | null
  /** A view of the record, by what it restricts and shows. */
  question?: FoundQuestion
}

const ICONS = {
  recent: Clock,
  screens: PanelTop,
  verbs: Zap,
  views: Bookmark,
  races: Flag,
  past: History,
  horses: Medal,
  headToHead: Swords,
  questions: ChartColumn,
} as const

/** Sections whose entries are offered again: a view of the user's own is in the list anyway. */
const LASTING: ReadonlySet<string> = new Set(['recent', 'screens', 'races', 'past', 'horses'])
/** Before the address of an entry that was chosen before. */
const RECENT = 'recent:'
const RECENT_KEY = 'palette-recent'
const MAX_RECENT = 5

/** An entry that was chosen, as it was called in the language of that time. */
interface Recent extends Entry {
  language: string
}

/** The entries that were chosen last in this tab, newest first. */
function readRecent(): Recent[] {
  const stored = inTab.readJson(RECENT_KEY)
  return Array.isArray(stored)
    ? stored.filter(
        (each: Partial<Recent> | null): each is Recent =>
          typeof each?.to === 'string' && typeof each.label === 'string' && typeof each.language === 'string',
      )
    : []
}

function rememberRecent(chosen: Recent): void {
  const others = readRecent().filter(({ to }) => to !== chosen.to)
  inTab.writeJson(RECENT_KEY, [chosen, ...others].slice(0, MAX_RECENT))
}

const HOME = { to: '/', title: 'nav.home' }
/** The titles of screens by their addresses. */
const TITLES = new Map([HOME, ...searchEntries(true)].map(({ to, title }) => [to, title]))
const RACE = '/pages/race/HorseRace?id='
const HORSE = '/pages/race/HorseDetail?id='
/** A name that was asked for changes only with the language. */
const ONCE = { staleTime: Infinity, retry: false } as const

/**
 * The entries that were chosen last, in the page's language: screens by their titles, and races and horses that were chosen
 * in another language as the server calls them in this one. Until it has answered they are called as before.
 */
function useRecent(): Recent[] {
  const intl = useIntl()
  const token = useToken()
  const raceEntry = useRaceEntry()
  const [recent] = useState(readRecent)
  const idsAt = (start: string): string[] =>
    recent
      .filter(({ to, language }) => language !== intl.locale && to.startsWith(start))
      .map(({ to }) => decodeURIComponent(to.slice(start.length)))
  const races = useQueries({
    queries: idsAt(RACE).map((raceId) => ({
      ...queryFor(queryRaceInfo, { raceId }, intl.locale, token),
      ...ONCE,
    })),
  })
  const horseEntry = useHorseEntry()
  const horses = useQueries({
    queries: idsAt(HORSE).map((id) => ({ ...queryFor(queryHorseInfo, { id }, intl.locale), ...ONCE })),
  })
  const labels = new Map(
    [
      ...races.flatMap(({ data }) =>
        data ? [raceEntry({ ...data, id: data.raceId, stadiumNum: data.raceNumber })] : [],
      ),
      ...horses.flatMap(({ data }) => (data ? [horseEntry(data)] : [])),
    ].map(({ to, label }) => [to, label]),
  )
  return recent.map((entry) => {
    const title = TITLES.get(entry.to)
    const label = title === undefined ? labels.get(entry.to) : intl.formatMessage({ id: title })
    return label === undefined ? entry : { to: entry.to, label, language: intl.locale }
  })
}

/** Something that the palette does instead of opening a page. */
interface Verb {
  id: string
  label: string
  /** The key that does it without the search. */
  shortcut?: string
  /** Whether it is offered before anything is typed. */
  first?: boolean
  run(): void
}

interface PaletteProps {
  onClose(): void
  /** Opens the list of shortcuts instead. */
  onShortcuts(): void
  /** Without one, nothing is read as a question. */
  QuestionReader?: QuestionReader | undefined
}

/** Search results while typing; Enter selects the first one. */
export default function PaletteContent(props: PaletteProps) {
  return (
    <ExtraTexts part="palette" waiting={<Skeleton height={320} />}>
      <Palette {...props} />
    </ExtraTexts>
  )
}

/** The sections that have an entry which fits the text, and how the search of the server stands. */
function useSections(text: string, verbs: readonly Verb[], questions: readonly FoundQuestion[]) {
  const { contains } = useFilter({ sensitivity: 'base' })
  const { failed, searching, ...groups } = useGroups(text)
  const fits = ({ label, hint = '', words = '' }: Entry): boolean =>
    contains(`${label} ${hint} ${words}`, text)
  const recent = useRecent()
  const screens = { id: 'screens' as const, entries: groups.screens.filter(fits) }
  const actions = {
    id: 'verbs' as const,
    entries: verbs
      .filter(({ first }) => first || text !== '')
      .map(({ id, label, shortcut }): Entry => ({ to: id, label, shortcut }))
      .filter(fits),
  }
  const asked = { id: 'questions' as const, entries: text === '' ? [] : questions.map(questionEntry) }
  const isWhole = questions.some(({ chips }) => chips.length > CHIPS_OF_ONE)
  const sections = [
    { id: 'recent' as const, entries: text === '' ? recent : [] },
    // Below the screens the few that are offered at once would be out of sight; a typed name is most often that of a screen.
    ...(text === '' ? [actions, screens] : [screens, actions]),
    ...(isWhole ? [asked] : []),
    { id: 'views' as const, entries: groups.views.filter(fits) },
    { id: 'races' as const, entries: groups.races.filter(fits).slice(0, RACES) },
    // Past races are shown only for a typed text.
    { id: 'past' as const, entries: text === '' ? [] : groups.past.filter(fits).slice(0, RACES) },
    { id: 'headToHead' as const, entries: groups.headToHead },
    // The server has already searched them, in every language.
    { id: 'horses' as const, entries: groups.horses },
    // One condition alone is most often the name of something above.
    ...(isWhole ? [] : [asked]),
  ].filter(({ entries }) => entries.length > 0)
  return { failed, searching, sections }
}

const questionEntry = (question: FoundQuestion): Entry => ({
  to: question.to,
  label: question.chips.join(BETWEEN_FACTS),
  question,
})

function Palette({ onClose, onShortcuts, QuestionReader }: PaletteProps) {
  const intl = useIntl()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed.trim())
  const verbs = useVerbs(onShortcuts)
  const [questions, setQuestions] = useState<readonly FoundQuestion[]>([])
  const { failed, searching, sections } = useSections(text, verbs, questions)
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      {/* A dialog that was opened by a key must accept typing immediately. */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <SearchField className={styles.search} autoFocus>
        <Label className={styles.label}>
          <FormattedMessage id="palette.input" />
        </Label>
        <Input className={styles.input} maxLength={MAX_TEXT} />
      </SearchField>
      {failed ? <FormattedMessage id="palette.failed" tagName="p" /> : null}
      {QuestionReader === undefined || text === '' ? null : (
        <Suspense>
          <QuestionReader text={text} onFound={setQuestions} />
        </Suspense>
      )}
      <ListBox
        className={styles.list}
        aria-label={intl.formatMessage({ id: 'palette.title' })}
        selectionMode="none"
        onAction={(key) => {
          onClose()
          const verb = verbs.find(({ id }) => id === key)
          if (verb) return verb.run()
          const to = String(key).replace(RECENT, '')
          const chosen = sections
            .flatMap(({ id, entries }) => (LASTING.has(id) ? entries : []))
            .find((entry) => entry.to === to)
          if (chosen) rememberRecent({ to, label: chosen.label, language: chosen.language ?? intl.locale })
          void navigate(to)
        }}
        renderEmptyState={() =>
          failed || searching ? null : <FormattedMessage id="palette.none" tagName="p" />
        }
      >
        {sections.map(({ id, entries }) => {
          const Icon = ICONS[id]
          return (
            <ListBoxSection key={id}>
              <Header className={styles.heading}>{intl.formatMessage({ id: `palette.${id}` })}</Header>
              {entries.map(({ to, label, hint, shortcut, labelLanguage, hintLanguage, question }) => (
                <ListBoxItem
                  key={to}
                  // The same address may be in its own section too.
                  id={id === 'recent' ? `${RECENT}${to}` : to}
                  textValue={label}
                  className={styles.entry}
                >
                  <Icon aria-hidden="true" size={16} />
                  {question === undefined ? (
                    <span lang={labelLanguage ?? undefined}>{label}</span>
                  ) : (
                    <QuestionWords {...question} />
                  )}
                  {hint === undefined ? null : <small lang={hintLanguage ?? undefined}>{hint}</small>}
                  {shortcut === undefined ? null : <kbd>{shortcut}</kbd>}
                </ListBoxItem>
              ))}
            </ListBoxSection>
          )
        })}
      </ListBox>
    </Autocomplete>
  )
}

/** A view that a question asks for, by its chips, and what of the question is not in it. */
const QuestionWords = ({ chips, notes }: FoundQuestion) => (
  <span className={styles.question}>
    <span className={styles.chips}>
      {chips.map((chip) => (
        <span key={chip}>{chip}</span>
      ))}
    </span>
    {notes.map((note) => (
      <small key={note}>{note}</small>
    ))}
  </span>
)

const RECORD = '/pages/race/WinLossRecord'

/** A filter of the record, saving its view, the link to the page, the shortcuts, colours and language. */
function useVerbs(onShortcuts: () => void): Verb[] {
  const intl = useIntl()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const { choose } = useLanguage()
  const isRecord = pathname === RECORD
  const copied = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.href)
      showToast(intl.formatMessage({ id: 'palette.copied' }), 'good')
    } catch {
      showToast(intl.formatMessage({ id: 'palette.copyFailed' }), 'bad')
    }
  }
  return [
    {
      id: 'add-filter',
      label: intl.formatMessage({ id: 'palette.filter' }),
      ...(isRecord ? { shortcut: 'F' } : {}),
      first: true,
      run: () => {
        // The record opens what finds a filter; it stays as it is.
        void navigate(isRecord ? `${RECORD}${search}` : RECORD, {
          replace: isRecord,
          preventScrollReset: isRecord,
          state: { opens: 'filter' },
        })
      },
    },
    ...(isRecord
      ? [
          {
            id: 'save-view',
            label: intl.formatMessage({ id: 'palette.saveView' }),
            first: true,
            run: () =>
              void navigate(`${RECORD}${search}`, {
                replace: true,
                preventScrollReset: true,
                state: { opens: 'save-view' },
              }),
          },
        ]
      : []),
    {
      id: 'copy-link',
      label: intl.formatMessage({ id: 'palette.copy' }),
      first: true,
      run: () => void copied(),
    },
    {
      id: 'shortcuts',
      label: intl.formatMessage({ id: 'shortcut.title' }),
      shortcut: '?',
      first: true,
      run: onShortcuts,
    },
    ...LANGUAGE_RULES.map(({ id, name }) => ({
      id: `language-${id}`,
      label: intl.formatMessage({ id: 'palette.language' }, { name }),
      run: () => void choose(id),
    })),
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      label: intl.formatMessage(
        { id: 'palette.theme' },
        { name: intl.formatMessage({ id: `theme.${theme}` }) },
      ),
      run: () => applyTheme(theme),
    })),
  ]
}

const WHILE_TYPING = { placeholderData: keepPreviousData, staleTime: 60_000, retry: 1 } as const

/** The horses of the region whose names contain the text, from the server. */
function useHorses(regionId: string | null, text: string) {
  const intl = useIntl()
  return useQuery({
    ...queryFor(
      queryRaceHorse,
      regionId === null || text === ''
        ? null
        : { pageNo: 1, pageSize: HORSES, countryRegionId: regionId, text },
      intl.locale,
    ),
    ...WHILE_TYPING,
  })
}

/** The last races before today, from the server; with a typed day the list starts there. */
function usePastRaces(at: ReturnType<typeof useRegionDay>, text: string) {
  const intl = useIntl()
  const format = useFormat()
  const typedDay = dayIn(text, format)
  // The day before today, because today's races are in the schedule.
  const lastDay = at === null ? '' : addDays(at.today, -1)
  const until = typedDay !== undefined && typedDay < lastDay ? typedDay : lastDay
  return useQuery({
    ...queryFor(
      queryRacePageDesc,
      at && { pageNo: 1, pageSize: PAST_RACES, countryRegionId: at.regionId, today: until },
      intl.locale,
    ),
    enabled: text !== '',
    ...WHILE_TYPING,
  })
}

type NamedHorse = Pick<Horse, 'id' | 'name' | 'nameLanguage' | 'nameEn' | 'number' | 'birthYear'>
type NamedRace = Pick<
  ScheduledRace,
  'id' | 'name' | 'nameLanguage' | 'date' | 'competitionDate' | 'stadiumName' | 'stadiumNum'
>

function useRaceEntry(): (race: NamedRace) => Entry {
  const intl = useIntl()
  const format = useFormat()
  return (race) => ({
    to: `${RACE}${race.id}`,
    label: intl.formatMessage(
      { id: 'palette.raceName' },
      {
        stadium: race.stadiumName,
        number: race.stadiumNum,
        when: [
          format.day(race.date),
          race.competitionDate === null ? null : format.timeIn(race.competitionDate, clockOfCourse(race.id)),
        ]
          .filter((part) => part !== null)
          .join(' '),
      },
    ),
    ...(race.name === null ? {} : { hint: race.name, hintLanguage: race.nameLanguage }),
    // A day can be typed as the files have it, with or without its zeros.
    words: `${race.date} ${race.date.split('-').map(Number).join('-')}`,
  })
}

function useHorseEntry(): (horse: NamedHorse) => Entry {
  const intl = useIntl()
  return ({ id, name, nameLanguage, nameEn, number, birthYear }) => ({
    to: `${HORSE}${encodeURIComponent(id)}`,
    label: name,
    labelLanguage: nameLanguage,
    hint: [
      nameEn === name ? null : nameEn,
      number === name ? null : number,
      birthYear === null ? null : intl.formatMessage({ id: 'horse.born' }, { year: String(birthYear) }),
    ]
      .filter((part) => part !== null)
      .join(BETWEEN_FACTS),
    // The year is in the page's language.
    hintLanguage: nameEn === null || nameEn === name || birthYear !== null ? null : 'en',
  })
}

/** All entries that can be found; horses and past races are queried from the server by the typed text. */
function useGroups(text: string): Record<
  'screens' | 'views' | 'races' | 'past' | 'horses' | 'headToHead',
  Entry[]
> & {
  failed: boolean
  /** The server has not answered yet. */
  searching: boolean
} {
  const intl = useIntl()
  const token = useToken()
  const regionId = useRegionDay()?.regionId ?? null
  const schedule = useSchedule()
  const server = useFromServer(text)
  const raceEntry = useRaceEntry()
  const views = useQuery(
    queryFor(
      querySavedViews,
      token === null || regionId === null ? null : { countryRegionId: regionId },
      token,
    ),
  )
  return {
    screens: [HOME, ...searchEntries(token !== null)].map(({ to, title }) => ({
      to,
      label: intl.formatMessage({ id: title }),
    })),
    views: (views.data ?? []).map(({ name, address }) => ({
      to: `/pages/race/WinLossRecord?${address}`,
      label: name,
    })),
    races: (schedule.data ?? []).map(raceEntry),
    ...server,
  }
}

/** Horses and past races, which the server finds. */
function useFromServer(typed: string) {
  const text = typed.length > MAX_NAME ? '' : typed
  const intl = useIntl()
  const at = useRegionDay()
  const raceEntry = useRaceEntry()
  const horseEntry = useHorseEntry()
  const horses = useHorses(at?.regionId ?? null, text)
  const past = usePastRaces(at, text)
  const pairs = useHeadToHeadPairs(at?.regionId ?? null, typed)
  const isSearch = text !== ''
  return {
    headToHead: pairs.map(([horse, other]) => ({
      to: headToHeadPath(horse.id, other.id),
      label: intl.formatMessage({ id: 'palette.versus' }, { horse: horse.name, other: other.name }),
    })),
    past: (past.data ?? []).map(raceEntry),
    horses: isSearch ? (horses.data?.records ?? []).map(horseEntry) : [],
    // The other entries are available then.
    failed: isSearch && (horses.isError || past.isError),
    searching: isSearch && (horses.isPending || past.isPending),
  }
}
