/** What is chosen in a list, and from which row a range begins. */
export interface Selection {
  keys: ReadonlySet<string>
  /** Index of the row that was chosen last by itself. */
  anchor: number
}

export const nothing: Selection = { keys: new Set(), anchor: -1 }

/** This row alone. */
export const only = (key: string, index: number): Selection => ({ keys: new Set([key]), anchor: index })

/** This row as well, or no longer. */
export function toggled({ keys }: Selection, key: string, index: number): Selection {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return { keys: next, anchor: index }
}

/** The rows from the anchor to this one; `more` keeps what was chosen before. `keyAt` is undefined for rows that are not loaded. */
export function ranged(
  { keys, anchor }: Selection,
  index: number,
  keyAt: (index: number) => string | undefined,
  more: boolean,
): Selection {
  const from = anchor < 0 ? index : anchor
  const next = new Set(more ? keys : [])
  for (let at = Math.min(from, index); at <= Math.max(from, index); at++) {
    const key = keyAt(at)
    if (key !== undefined) next.add(key)
  }
  return { keys: next, anchor: from }
}

/** What is left of a selection once some rows have gone. */
export function kept({ keys, anchor }: Selection, gone: ReadonlySet<string>): Selection {
  const next = new Set([...keys].filter((key) => !gone.has(key)))
  return next.size === 0 ? nothing : { keys: next, anchor }
}

/** The chosen rows that are loaded. */
export function chosenOf<Row extends { key: string }>(
  { keys }: Selection,
  count: number,
  at: (index: number) => Row | undefined,
): Row[] {
  const chosen: Row[] = []
  for (let index = 0; index < count && chosen.length < keys.size; index++) {
    const row = at(index)
    if (row && keys.has(row.key)) chosen.push(row)
  }
  return chosen
}
