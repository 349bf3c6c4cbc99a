import { useRef, useState } from 'react'
import type { Entry } from './entries.ts'
import { chosenOf, nothing, type Selection } from './selection.ts'
import type { Entries } from './use-entries.ts'

interface FolderSelection {
  selection: Selection
  setSelection: (selection: Selection) => void
  clear: () => void
  /** The entries themselves. */
  chosen: () => readonly Entry[]
  selectAll: (on: boolean) => Promise<void>
}

/** The selection in a folder. A long list loads only what is in sight, so choosing everything loads the rest. */
export function useFolderSelection(
  { total, count, at, loadAll }: Pick<Entries, 'total' | 'count' | 'at'> & { loadAll: () => Promise<Entry[]> },
  long: boolean,
): FolderSelection {
  const [selection, setSelection] = useState(nothing)
  const all = useRef<readonly Entry[]>([])
  const chosen = chosenOf(selection, count, at)

  const selectAll = async (on: boolean) => {
    if (!on) return setSelection(nothing)
    // What is loaded is chosen at once, the rest when it has come, unless something else was chosen meanwhile.
    const loaded = { keys: new Set(keysOf(count, at)), anchor: 0 }
    setSelection(loaded)
    if (!long || loaded.keys.size === total) return
    const whole = await loadAll()
    all.current = whole
    setSelection((now) => (now === loaded ? { keys: new Set(whole.map(({ key }) => key)), anchor: 0 } : now))
  }
  return {
    selection,
    setSelection,
    clear: () => setSelection(nothing),
    chosen: () =>
      chosen.length === selection.keys.size ? chosen : all.current.filter(({ key }) => selection.keys.has(key)),
    selectAll,
  }
}

function keysOf(count: number, at: (index: number) => Entry | undefined): string[] {
  return Array.from({ length: count }, (_, index) => at(index)?.key).filter((key) => key !== undefined)
}
