import { lexer, type Token } from 'marked'

/** Cells of tables that are parsed: each row is padded to the width of its table, so a short text can have millions. */
const CELLS_MAX = 1_000_000
/** Elements that a page can show without delay. */
const TOKENS_MAX = 150_000

/** @returns undefined for a text that would be too large as a page, or that the parser refuses */
export function parseMarkdown(text: string): Token[] | undefined {
  if (cellsOf(text) > CELLS_MAX) return undefined
  try {
    const tokens = [...lexer(text)]
    return hasMore(tokens, TOKENS_MAX) ? undefined : tokens
  } catch {
    // Nested too deeply.
    return undefined
  }
}

/** At most so many cells can the tables in a text have. */
function cellsOf(text: string): number {
  let [lines, bars, widest] = [1, 0, 0]
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '|') widest = Math.max(widest, ++bars)
    else if (text[at] === '\n') {
      lines += 1
      bars = 0
    }
  }
  return lines * widest
}

/** Whether there are more tokens than `max`, with those inside others. */
function hasMore(tokens: readonly unknown[], max: number): boolean {
  let found = 0
  const open: unknown[] = [...tokens]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value) && ++found > max) return true
    for (const inner of Object.values(value)) if (typeof inner === 'object') open.push(inner)
  }
  return false
}
