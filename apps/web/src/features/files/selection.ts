/** The selected rows of a list, and the start of a range. */
export interface Selection {
  keys: ReadonlySet<string>
  /** Index of the row that was last selected individually. */
  anchor: number
}

export const emptySelection: Selection = { keys: new Set(), anchor: -1 }

/** Selects only this row. */
export const only = (key: string, index: number): Selection => ({ keys: new Set([key]), anchor: index })

export function toggleRow({ keys }: Selection, key: string, index: number): Selection {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return { keys: next, anchor: index }
}

/**
 * Selects the rows from the anchor to this one.
 * @param keyAt returns undefined for rows that are not loaded
 * @param more keep the rows selected before
 */
export function selectRange(
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

/** The selection without removed rows. */
export function withoutRows({ keys, anchor }: Selection, gone: ReadonlySet<string>): Selection {
  const next = new Set([...keys].filter((key) => !gone.has(key)))
  return next.size === 0 ? emptySelection : { keys: next, anchor }
}

/** The selected rows that are loaded. */
export function selectedRows<Row extends { key: string }>(
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
