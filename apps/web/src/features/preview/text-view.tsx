import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { classes } from '../../ui/classes.ts'
import { Loading } from '../../ui/states.tsx'
import { decode, type Encoding, guessEncoding, linesOf } from './decode.ts'
import { languageOf, useHighlight } from './highlight.ts'
import { t } from './texts.ts'

// Compact previews do not offer encodings.
const EncodingChoice = lazy(async () => ({ default: (await import('./encoding-choice.tsx')).EncodingChoice }))

const LINES = 20_000
/** Lines per `content-visibility` block: blocks outside the viewport are not laid out. */
const BLOCK = 100

/** The bytes of a Blob; undefined while they are read. */
export function useBytes(blob: Blob): Uint8Array<ArrayBuffer> | undefined {
  const [bytes, setBytes] = useState<Uint8Array<ArrayBuffer>>()
  useEffect(() => {
    let cancelled = false
    void blob.arrayBuffer().then((buffer) => cancelled || setBytes(new Uint8Array(buffer)))
    return () => {
      cancelled = true
    }
  }, [blob])
  return bytes
}

/** Decodes text with the selected or the guessed encoding. */
export function useDecoded(bytes: Uint8Array | undefined) {
  const [chosen, setChosen] = useState<Encoding>()
  const guessed = useMemo(() => (bytes ? guessEncoding(bytes) : 'utf-8'), [bytes])
  const encoding = chosen ?? guessed
  const text = useMemo(() => (bytes ? decode(bytes, encoding) : ''), [bytes, encoding])
  return { text, encoding, setEncoding: setChosen }
}

/** A text with line numbers. `compact`: shortened, without controls. */
export function TextView({
  blob,
  name,
  compact = false,
  note,
}: {
  blob: Blob
  name: string
  compact?: boolean
  note?: string
}) {
  const bytes = useBytes(blob)
  const { text, encoding, setEncoding } = useDecoded(bytes)
  const { lines, cut } = useMemo(() => linesOf(text, compact ? 200 : LINES), [text, compact])
  const coloured = useHighlight(text, languageOf(name))
  const [wrap, setWrap] = useState(compact)
  if (!bytes) return <Loading />
  if (bytes.length === 0) return <p className="p-8 text-center text-muted">{t.text.empty}</p>
  const blocks = Array.from({ length: Math.ceil(lines.length / BLOCK) }, (_, index) => index * BLOCK)
  const digits = String(lines.length).length
  return (
    <div className="flex h-full flex-col">
      {!compact && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-1.5 text-sm">
          <Suspense fallback={<span className="min-h-9" />}>
            <EncodingChoice value={encoding} onChange={setEncoding} />
          </Suspense>
          <label className="flex min-h-9 items-center gap-2">
            <input type="checkbox" className="size-4.5" checked={wrap} onChange={() => setWrap(!wrap)} />
            {t.text.wrap}
          </label>
          <span className="text-muted">
            {cut ? t.text.cut(formatNumber(lines.length)) : t.text.lines(lines.length)}
          </span>
          {note && <span className="text-xs text-muted">{note}</span>}
        </div>
      )}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
        tabIndex={0}
        aria-label={t.text.label(name)}
        className={classes('min-h-0 flex-1 overflow-auto py-3', compact && 'max-h-[28rem]')}
      >
        <div className={classes('font-mono text-[0.8125rem] leading-5', !wrap && 'w-max min-w-full')}>
          {blocks.map((from) => (
            <div key={from} className="[contain-intrinsic-size:auto_125rem] [content-visibility:auto]">
              {lines.slice(from, from + BLOCK).map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their number
                <div key={index} className="flex hover:bg-sunken">
                  <span
                    aria-hidden
                    className={classes(
                      'shrink-0 border-r border-line pr-2 text-right text-muted select-none',
                      digits > 4 ? 'w-16' : 'w-12',
                    )}
                  >
                    {from + index + 1}
                  </span>
                  <span
                    className={classes('min-w-0 px-3', wrap ? 'wrap-anywhere whitespace-pre-wrap' : 'whitespace-pre')}
                  >
                    {line === ''
                      ? '\u200b'
                      : (coloured?.[from + index]?.map((token, place) => (
                          // biome-ignore lint/suspicious/noArrayIndexKey: tokens are identified by their place
                          <span key={place} className={token.className}>
                            {token.text}
                          </span>
                        )) ?? line)}
                  </span>
                </div>
              ))}
            </div>
          ))}
        </div>
      </section>
    </div>
  )
}
