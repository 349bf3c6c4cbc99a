/** A place in a transcript: characters `from` to `to` of the text of one segment. */
export interface Match {
  segment: number
  from: number
  to: number
}

/** Every place where the text occurs, in order. Upper and lower case are the same; signs mean themselves. */
export function findMatches(texts: readonly string[], wanted: string): Match[] {
  const text = wanted.trim()
  if (text === '') return []
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
  return texts.flatMap((each, segment) =>
    [...each.matchAll(pattern)].map(({ index, 0: { length } }) => ({ segment, from: index, to: index + length })),
  )
}

/** A text in pieces: what was found, and what lies between. `match` is the index in the list of all matches. */
export function pieces(
  text: string,
  matches: readonly (Match & { index: number })[],
): { text: string; match?: number }[] {
  const list: { text: string; match?: number }[] = []
  let at = 0
  for (const { from, to, index } of matches) {
    if (from > at) list.push({ text: text.slice(at, from) })
    list.push({ text: text.slice(from, to), match: index })
    at = to
  }
  if (at < text.length) list.push({ text: text.slice(at) })
  return list
}
