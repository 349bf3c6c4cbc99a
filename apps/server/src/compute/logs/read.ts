import { plainLine } from '@tidenet/contract/plain-line'
import type { Db } from '../../platform/db/db.ts'
import { type KeptLine, parseLines } from './lines.ts'
import { type LogPart, partsAfter, partsBefore, type Range } from './repository.ts'

export interface Question {
  id: string
  lines: number
  search: string
  since?: string | undefined
  until?: string | undefined
  after?: number | undefined
}

type Numbered = KeptLine & { n: number }

/** The last lines of a kept log, or those after a line. Lines that match are returned oldest first. */
export const readKept = (db: Db, question: Question) =>
  question.after === undefined ? readLast(db, question) : readAfter(db, question, question.after)

async function readLast(db: Db, question: Question) {
  const { id, lines: max } = question
  const matches = matcher(question)
  const found: Numbered[] = []
  let next: number | undefined
  for (let before = Number.MAX_SAFE_INTEGER; found.length <= max; ) {
    const parts = await partsBefore(db, id, before, rangeOf(question))
    for (const part of parts) {
      const lines = numbered(part)
      next ??= lines.at(-1)?.n ?? part.first
      found.unshift(...lines.filter(matches))
      before = part.first
      if (found.length > max) break
    }
    if (parts.length === 0) break
  }
  return { lines: found.slice(-max), next: next ?? 0, more: found.length > max }
}

async function readAfter(db: Db, question: Question, after: number) {
  const { id, lines: max } = question
  const matches = matcher(question)
  const found: Numbered[] = []
  for (let last = after; ; ) {
    const parts = await partsAfter(db, id, last, rangeOf(question))
    for (const line of parts.flatMap(numbered)) {
      if (line.n <= last) continue
      if (found.length === max && matches(line)) return { lines: found, next: last, more: true }
      if (matches(line)) found.push(line)
      last = line.n
    }
    if (parts.length === 0) return { lines: found, next: last, more: false }
  }
}

const rangeOf = ({ since, until }: Question): Range => ({
  since: since === undefined ? undefined : new Date(since),
  until: until === undefined ? undefined : new Date(until),
})

const numbered = ({ first, lines }: LogPart): Numbered[] =>
  parseLines(lines).flatMap((line, index) => (line ? [{ ...line, n: first + index }] : []))

/** Colours inside of a word do not hide it. */
function matcher({ search, ...question }: Question): (line: KeptLine) => boolean {
  const { since, until } = rangeOf(question as Question)
  const wanted = search.toLowerCase()
  return ({ at, text }) => {
    const time = Date.parse(at)
    if ((since && time < since.getTime()) || (until && time > until.getTime())) return false
    return wanted === '' || plainLine(text).toLowerCase().includes(wanted)
  }
}
