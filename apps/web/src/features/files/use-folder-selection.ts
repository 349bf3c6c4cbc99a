import { useRef, useState } from 'react'
import type { Entry } from './entries.ts'
import { emptySelection, type Selection, selectedRows } from './selection.ts'
import type { Entries } from './use-entries.ts'

interface FolderSelection {
  selection: Selection
  setSelection: (selection: Selection) => void
  clear: () => void
  /** The selected entries. */
  chosen: () => readonly Entry[]
  selectAll: (on: boolean) => Promise<void>
}

/** The selection in a folder. A long list loads only visible rows, so selecting all loads the rest. */
export function useFolderSelection(
  { total, count, at, loadAll }: Pick<Entries, 'total' | 'count' | 'at'> & { loadAll: () => Promise<Entry[]> },
  long: boolean,
): FolderSelection {
  const [selection, setSelection] = useState(emptySelection)
  const all = useRef<readonly Entry[]>([])
  const chosen = selectedRows(selection, count, at)

  const selectAll = async (on: boolean) => {
    if (!on) return setSelection(emptySelection)
    // Select loaded rows at once, and the rest when it has loaded, unless the selection has changed meanwhile.
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
    clear: () => setSelection(emptySelection),
    chosen: () =>
      chosen.length === selection.keys.size ? chosen : all.current.filter(({ key }) => selection.keys.has(key)),
    selectAll,
  }
}

function keysOf(count: number, at: (index: number) => Entry | undefined): string[] {
  return Array.from({ length: count }, (_, index) => at(index)?.key).filter((key) => key !== undefined)
}
