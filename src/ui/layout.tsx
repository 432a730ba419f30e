import type {
  AnchorHTMLAttributes,
  ComponentProps,
  DetailsHTMLAttributes,
  HTMLAttributes,
  ReactNode,
  TableHTMLAttributes,
  ThHTMLAttributes,
} from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link, type LinkProps } from 'react-router-dom'
import { useOverflow } from './behaviour/use-overflow.ts'
import styles from './layout.module.css'
import texts from './text.module.css'

const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(' ')

type Attributes = HTMLAttributes<HTMLElement>

interface StackProps extends Attributes {
  as?: 'article' | 'div' | 'figure' | 'form' | 'section'
  /** Half the gap. */
  tight?: boolean
  /** As wide as text is easy to read, in the middle of the page. */
  narrow?: boolean
}

/** Its children below each other, each as wide as the stack. */
export const Stack = ({ as: Tag = 'div', tight, narrow, className, ...rest }: StackProps) => (
  <Tag
    className={classNames(tight ? styles.tight : styles.stack, narrow && styles.narrow, className)}
    {...rest}
  />
)

interface RowProps extends Attributes {
  as?: 'div' | 'form' | 'header' | 'li' | 'nav' | 'span'
  /** The first child at the start of the line and the last at its end. */
  spread?: boolean
}

/** Its children beside each other, on as many lines as they need. */
export const Row = ({ as: Tag = 'div', spread, className, ...rest }: RowProps) => (
  <Tag className={classNames(spread ? styles.spread : styles.row, className)} {...rest} />
)

/** On wide screens two columns, the first wider; on others its children below each other. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
)

interface PageTitleProps {
  as?: 'div' | 'header'
  /** Message id of the heading; without it the children begin with one. */
  title?: string
  /** Message id of the sentence below the heading. */
  lead?: string
  children?: ReactNode
}

/** The heading of a screen and the sentences below it. */
export const PageTitle = ({ as: Tag = 'header', title, lead, children }: PageTitleProps) => (
  <Tag className={styles.title}>
    {title === undefined ? null : <FormattedMessage id={title} tagName="h1" />}
    {lead === undefined ? null : <FormattedMessage id={lead} tagName="p" />}
    {children}
  </Tag>
)

/** How something ended, in a frame in the middle of the page. */
export const Outcome = (props: Attributes) => <section className={styles.outcome} {...props} />

interface SmallProps extends Attributes {
  /** Of a `time`. */
  dateTime?: string
  as?: 'caption' | 'div' | 'li' | 'p' | 'span' | 'time' | 'ul'
  /** Message id of its words, instead of children. */
  text?: string
}

/** Small text in a soft colour: what explains, not what is said. */
export const Small = ({ as: Tag = 'p', className, text, children, ...rest }: SmallProps) => (
  <Tag className={classNames(texts.small, className)} {...rest}>
    {text === undefined ? children : <FormattedMessage id={text} />}
  </Tag>
)

interface BadgeProps extends Attributes {
  tone?: 'accent' | 'gain' | 'loss' | 'soft' | undefined
}

/** A few words in a frame of their own colour. */
export const Badge = ({ tone, className, ...rest }: BadgeProps) => (
  <span className={classNames(styles.badge, tone && texts[tone], className)} {...rest} />
)

/** A link to a screen; `text` is the message id of its words. */
export const TextLink = ({ text, ...rest }: LinkProps & { text: string }) => (
  <Link {...rest}>
    <FormattedMessage id={text} />
  </Link>
)

type LinkButtonProps = {
  /** Without the colour of the main action. */
  quiet?: boolean
  /** Message id of its words, instead of children. */
  text?: string
} & (LinkProps | (AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }))

/** A link that looks like a button: `to` a screen, or with an `href` to somewhere else. */
export function LinkButton({ quiet, text, className, children, ...rest }: LinkButtonProps) {
  const names = classNames(styles.linkButton, quiet && styles.quiet, className)
  const words = text === undefined ? children : <FormattedMessage id={text} />
  return 'to' in rest ? (
    <Link className={names} {...rest}>
      {words}
    </Link>
  ) : (
    <a className={names} {...rest}>
      {words}
    </a>
  )
}

/** A list without marks. */
export const List = ({ as: Tag = 'ul', className, ...rest }: Attributes & { as?: 'ol' | 'ul' }) => (
  <Tag className={classNames(styles.list, className)} {...rest} />
)

/** An item of a list with a figure or a mark at its end, separated from the next by a line. */
export const Entry = ({ className, ...rest }: ComponentProps<'li'>) => (
  <li className={classNames(styles.entry, className)} {...rest} />
)

/** An item of a list as a card. */
export const Card = ({ className, ...rest }: ComponentProps<'li'>) => (
  <li className={classNames(styles.card, className)} {...rest} />
)

/** What stands below the last item of a list, in the middle. */
export const ListEnd = ({ className, ...rest }: ComponentProps<'p'>) => (
  <p className={classNames(styles.end, className)} {...rest} />
)

export type Fact = readonly [message: string, value: ReactNode]

/** Names and values side by side: each child is a `div` with a `dt` and a `dd`. */
export const FactList = ({ className = styles.facts, ...rest }: HTMLAttributes<HTMLDListElement>) => (
  <dl className={className} {...rest} />
)

interface FactsProps {
  facts: readonly Fact[]
  className?: string | undefined
  /** Leaves unknown values out: for facts that a source may lack altogether. */
  knownOnly?: boolean
}

const isUnknown = (value: ReactNode): boolean => value === null || value === undefined || value === ''

/** Names and values; an unknown value is shown as a dash. */
export const Facts = ({ facts, className, knownOnly = false }: FactsProps) => (
  <FactList className={className}>
    {facts
      .filter(([, value]) => !knownOnly || !isUnknown(value))
      .map(([message, value]) => (
        <div key={message}>
          <FormattedMessage id={message} tagName="dt" />
          <dd>{isUnknown(value) ? '–' : value}</dd>
        </div>
      ))}
  </FactList>
)

/** A table of figures: everything but the first column and its `TextCell`s is at the end of the cell. */
export const Table = ({ className, ...rest }: TableHTMLAttributes<HTMLTableElement>) => (
  <table className={classNames(styles.table, className)} {...rest} />
)

interface TextCellProps extends ThHTMLAttributes<HTMLTableCellElement> {
  as?: 'td' | 'th'
}

/** A cell of a `Table` with text, which begins at its start. */
export const TextCell = ({ as: Tag = 'td', className, ...rest }: TextCellProps) => (
  <Tag className={classNames(styles.textCell, className)} {...rest} />
)

interface ColumnHeadingsProps {
  /** Message ids of the headings. */
  ids: readonly string[]
  /** Those that are above texts, not figures. */
  left?: ReadonlySet<string>
  /** Message ids of the tooltips of those that are abbreviations. */
  hints?: Readonly<Record<string, string>>
}

/** The column headings of a table. */
export function ColumnHeadings({ ids, left, hints }: ColumnHeadingsProps) {
  const intl = useIntl()
  return (
    <thead>
      <tr>
        {ids.map((id) => (
          <th
            key={id}
            scope="col"
            className={left?.has(id) ? styles.textCell : undefined}
            title={hints?.[id] === undefined ? undefined : intl.formatMessage({ id: hints[id] })}
          >
            <FormattedMessage id={id} />
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** The figures of a chart as a table, below a line that opens it. */
export const TableTwin = ({ className, ...rest }: DetailsHTMLAttributes<HTMLDetailsElement>) => (
  <details className={classNames(styles.twin, className)} {...rest} />
)

interface ScrollAreaProps {
  /** Its name for screen readers. */
  name: string
  /** A region is a landmark; what is inside one already is only a group. */
  role?: 'region' | 'group'
  className?: string | undefined
  children: ReactNode
}

/** Content that may be larger than its container and then scrolls, also with the keyboard. */
export function ScrollArea({ name, role = 'region', className = styles.scroll, children }: ScrollAreaProps) {
  const { ref, overflows } = useOverflow(children)
  return (
    <div ref={ref} className={className} tabIndex={overflows ? 0 : undefined} role={role} aria-label={name}>
      {children}
    </div>
  )
}

interface ScrollRegionProps {
  /** The message id of its name, and the message's values. */
  label: string
  values?: Readonly<Record<string, string>>
  children: ReactNode
}

/** A scroll area whose name is a message. */
export function ScrollRegion({ label, values, children }: ScrollRegionProps) {
  const intl = useIntl()
  return <ScrollArea name={intl.formatMessage({ id: label }, values)}>{children}</ScrollArea>
}
