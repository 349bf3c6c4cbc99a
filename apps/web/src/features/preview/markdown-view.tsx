import type { Token as MarkdownToken, Tokens } from 'marked'
import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { Loading } from '../../ui/states.tsx'
import { askWorker } from './ask-worker.ts'
import { languageOf, useHighlight } from './highlight.ts'
import { addressIn } from './markdown-links.ts'
import { TextView, useBytes, useDecoded } from './text-view.tsx'
import { t } from './texts.ts'

/** A longer text is shown as it is written. */
const LENGTH_MAX = 512 * 1024
/** Deeper lists and quotes are shown as they are written. */
const DEPTH_MAX = 20

/**
 * Markdown as a page. It is built from elements, never from markup: HTML in it is shown as text, pictures are not loaded from other sites,
 * and links lead only to web pages and e-mail addresses.
 */
export function MarkdownView({ blob, name, compact }: { blob: Blob; name: string; compact: boolean }) {
  const bytes = useBytes(blob)
  const { text } = useDecoded(bytes)
  const [source, setSource] = useState(false)
  const parsed = useTokens(text)
  if (!bytes) return <Loading />
  if (bytes.length === 0) return <p className="p-8 text-center text-muted">{t.text.empty}</p>
  if (!parsed) return <Loading />
  const { tokens } = parsed
  if (!tokens) return <TextView blob={blob} name={name} compact={compact} />
  return (
    <div className="flex h-full flex-col">
      {!compact && (
        <div className="border-b border-line px-3 py-1.5 text-sm">
          <label className="inline-flex min-h-9 items-center gap-2">
            <input type="checkbox" className="size-4.5" checked={source} onChange={() => setSource(!source)} />
            {t.markdown.source}
          </label>
        </div>
      )}
      {source ? (
        <div className="min-h-0 flex-1">
          <TextView blob={blob} name={name} />
        </div>
      ) : (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
          tabIndex={0}
          aria-label={t.text.label(name)}
          className={compact ? 'max-h-[28rem] overflow-auto p-5' : 'min-h-0 flex-1 overflow-auto p-5 sm:p-8'}
        >
          <div className="mx-auto flex max-w-[44rem] flex-col gap-4 leading-7 wrap-anywhere">
            <Blocks tokens={tokens} />
          </div>
        </section>
      )}
    </div>
  )
}

/** The parsed text, without tokens if it is shown as it is written. Parsed off the main thread: some short texts take minutes. */
function useTokens(text: string): { tokens: MarkdownToken[] | undefined } | undefined {
  const [found, setFound] = useState<{ text: string; tokens: MarkdownToken[] | undefined }>()
  useEffect(() => {
    if (text.length > LENGTH_MAX) return setFound({ text, tokens: undefined })
    const worker = new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' })
    return askWorker<MarkdownToken[]>(worker, text, (tokens) => setFound({ text, tokens }))
  }, [text])
  return found?.text === text ? found : undefined
}

const HEADINGS = ['text-2xl', 'text-xl', 'text-lg', 'text-base', 'text-base', 'text-base']

function Blocks({ tokens, depth = 0 }: { tokens: readonly MarkdownToken[]; depth?: number }): ReactNode {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
    <Fragment key={index}>{block(token, depth)}</Fragment>
  ))
}

function block(token: MarkdownToken, depth: number): ReactNode {
  if (depth > DEPTH_MAX) return <p>{token.raw}</p>
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'hr':
      return <hr className="border-line" />
    case 'heading': {
      const { depth: level, tokens } = token as Tokens.Heading
      // The page has a heading of level 1 of its own.
      const Heading = `h${Math.min(6, level + 1)}` as 'h2'
      return (
        <Heading className={`mt-2 font-semibold tracking-tight ${HEADINGS[level - 1]}`}>
          <Inline tokens={tokens} />
        </Heading>
      )
    }
    case 'paragraph':
      return (
        <p>
          <Inline tokens={(token as Tokens.Paragraph).tokens} />
        </p>
      )
    case 'code': {
      const { text, lang = '' } = token as Tokens.Code
      return <Code text={text} language={languageOf(lang.split(/\s/)[0] ?? '')} />
    }
    case 'blockquote':
      return (
        <blockquote className="flex flex-col gap-3 border-l-2 border-line pl-4 text-muted">
          <Blocks tokens={(token as Tokens.Blockquote).tokens} depth={depth + 1} />
        </blockquote>
      )
    case 'list':
      return <List list={token as Tokens.List} depth={depth} />
    case 'table':
      return <Table table={token as Tokens.Table} />
    case 'text': {
      const { tokens, text } = token as Tokens.Text
      return tokens ? <Inline tokens={tokens} /> : text
    }
    default:
      return <p className="font-mono text-sm text-muted">{token.raw}</p>
  }
}

function List({ list: { ordered, start, items }, depth }: { list: Tokens.List; depth: number }) {
  const rows = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
    <li key={index} className="pl-1">
      {item.task && (
        <input
          type="checkbox"
          disabled
          checked={item.checked ?? false}
          readOnly
          aria-label={t.markdown.task}
          className="mr-2 size-4 align-middle"
        />
      )}
      <Blocks tokens={item.tokens.filter(({ type }) => type !== 'checkbox')} depth={depth + 1} />
    </li>
  ))
  const look = 'flex list-outside flex-col gap-1 pl-6'
  return ordered ? (
    <ol start={start === '' ? 1 : start} className={`list-decimal ${look}`}>
      {rows}
    </ol>
  ) : (
    <ul className={`list-disc ${look}`}>{rows}</ul>
  )
}

function Table({ table: { header, rows } }: { table: Tokens.Table }) {
  const cell = 'border border-line px-3 py-1.5 text-left align-top wrap-normal'
  return (
    <div className="overflow-x-auto">
      <table className="border-collapse text-sm">
        <thead>
          <tr>
            {header.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
              <th key={index} scope="col" className={`${cell} bg-sunken font-semibold`}>
                <Inline tokens={column.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
            <tr key={index}>
              {row.map((each, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
                <td key={column} className={cell}>
                  <Inline tokens={each.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Code({ text, language }: { text: string; language: string | undefined }) {
  const lines = useHighlight(text, language)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <pre tabIndex={0} className="overflow-x-auto rounded-lg bg-sunken p-4 font-mono text-[0.8125rem] leading-5">
      <code>
        {lines
          ? lines.map((tokens, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
              <Fragment key={index}>
                {index > 0 && '\n'}
                <Coloured tokens={tokens} />
              </Fragment>
            ))
          : text}
      </code>
    </pre>
  )
}

const Coloured = ({ tokens }: { tokens: readonly { text: string; className?: string | undefined }[] }) =>
  tokens.map(({ text, className }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
    <span key={index} className={className}>
      {text}
    </span>
  ))

function Inline({ tokens = [], depth = 0 }: { tokens?: readonly MarkdownToken[] | undefined; depth?: number }) {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
    <Fragment key={index}>{inline(token, depth)}</Fragment>
  ))
}

function inline(token: MarkdownToken, depth: number): ReactNode {
  if (depth > DEPTH_MAX) return token.raw
  const inside = <Inline tokens={'tokens' in token ? token.tokens : undefined} depth={depth + 1} />
  switch (token.type) {
    case 'strong':
      return <strong className="font-semibold">{inside}</strong>
    case 'em':
      return <em>{inside}</em>
    case 'del':
      return <del>{inside}</del>
    case 'br':
      return <br />
    case 'codespan':
      return (
        <code className="rounded bg-sunken px-1 py-px font-mono text-[0.875em]">{(token as Tokens.Codespan).text}</code>
      )
    case 'link': {
      const { href } = token as Tokens.Link
      const address = addressIn(href)
      return address ? <Outside address={address}>{inside}</Outside> : inside
    }
    case 'image': {
      const { href, text } = token as Tokens.Image
      const address = addressIn(href)
      const label = t.markdown.picture(text || href)
      return address ? <Outside address={address}>{label}</Outside> : label
    }
    case 'text':
      return 'tokens' in token && token.tokens ? inside : unescaped((token as Tokens.Text).text)
    case 'escape':
      return (token as Tokens.Escape).text
    default:
      return token.raw
  }
}

/** The parser leaves entities as they are written, for HTML. Only those of ASCII punctuation are common in text. */
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'")

const Outside = ({ address, children }: { address: string; children: ReactNode }) => (
  <a href={address} target="_blank" rel="noopener noreferrer nofollow" className="text-accent underline">
    {children}
  </a>
)
