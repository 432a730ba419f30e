import { Lexer, type Token, type Tokens } from 'marked'
import { createElement, Fragment, type ReactNode } from 'react'

/**
 * Text in Markdown as elements: headings, paragraphs, lists, quotations, code and emphasis. Everything else, such as HTML,
 * links and pictures, which a shared document could abuse, is shown as it was written.
 */
export default function MarkdownText({ text }: { text: string }) {
  return blocks(ranked(Lexer.lex(text)))
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

/** Headings in ranks without a gap, whatever the first of a text is: screen readers go from one to the next. */
function ranked(tokens: readonly Token[]): Token[] {
  const depths = [...new Set(tokens.filter(isHeading).map(({ depth }) => depth))].toSorted((a, b) => a - b)
  return tokens.map((token) =>
    isHeading(token) ? { ...token, depth: depths.indexOf(token.depth) + 1 } : token,
  )
}

/** Elements that never move: their position is their key. */
const listed = (tokens: readonly Token[], show: (token: Token) => ReactNode): ReactNode =>
  tokens.map((token, at) => createElement(Fragment, { key: at }, show(token)))

const blocks = (tokens: readonly Token[]): ReactNode => listed(tokens, block)

const inline = (tokens: readonly Token[] | undefined, raw: string): ReactNode =>
  tokens === undefined ? raw : listed(tokens, span)

/** The page has the first rank of headings. */
const headingOf = (depth: number): string => `h${Math.min(depth + 1, 6)}`

function block(token: Token): ReactNode {
  const { tokens } = token as { tokens?: Token[] }
  switch (token.type) {
    case 'heading':
      return createElement(headingOf((token as Tokens.Heading).depth), null, inline(tokens, token.raw))
    case 'list': {
      const { ordered, start, items } = token as Tokens.List
      const of = listed(items, (item) => <li>{blocks((item as Tokens.ListItem).tokens)}</li>)
      return ordered ? <ol start={start === '' ? 1 : start}>{of}</ol> : <ul>{of}</ul>
    }
    case 'blockquote':
      return <blockquote>{blocks(tokens ?? [])}</blockquote>
    case 'code':
      return <pre>{(token as Tokens.Code).text}</pre>
    case 'hr':
      return <hr />
    case 'space':
    case 'def':
      return null
    // In a list: a line without a paragraph.
    case 'text':
      return inline(tokens, (token as Tokens.Text).text)
    case 'paragraph':
      return <p>{inline(tokens, token.raw)}</p>
    default:
      return <p>{token.raw}</p>
  }
}

function span(token: Token): ReactNode {
  const { tokens } = token as { tokens?: Token[] }
  switch (token.type) {
    case 'strong':
      return <strong>{inline(tokens, token.raw)}</strong>
    case 'em':
      return <em>{inline(tokens, token.raw)}</em>
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>
    case 'br':
      return <br />
    case 'escape':
      return (token as Tokens.Escape).text
    case 'text':
      return inline(tokens, (token as Tokens.Text).text)
    default:
      return token.raw
  }
}
