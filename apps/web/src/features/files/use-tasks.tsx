import { type ReactNode, useState } from 'react'
import { savedName } from '../transfers/download-request.ts'
import { addDownload } from '../transfers/downloads.ts'
import { chooseSaveLocation } from '../transfers/save-location.ts'
import { askVault } from '../vault/ask.ts'
import { trashEntries } from './changes.ts'
import { type Entry, type FileEntry, isEncrypted, isFile } from './entries.ts'
import { EntryDialogs, type Task, wishOf } from './entry-dialogs.tsx'
import type { RowAction } from './entry-events.ts'
import { type EntryAction, EntryMenu, type MenuPlace } from './entry-menu.tsx'
import type { Selection } from './selection.ts'

interface Tasks {
  /** Runs an action, or opens its dialog. */
  run: (action: EntryAction, entries: readonly Entry[]) => void
  /** Runs an action for a row; if the row is selected, for the whole selection. */
  act: (action: RowAction, entry: Entry, selection: Selection) => void
  /** Opens the menu of a row or of the selection. */
  menu: (entry: Entry, place: MenuPlace, selection: Selection) => void
  /** The open menu or dialog. */
  view: ReactNode
}

/** Actions on entries: run directly, by menu or by dialog. */
export function useTasks(options: {
  onDone: () => void
  onOpenFolder: (id: number) => void
  onPreview: (entry: FileEntry) => void
  /** All selected entries. */
  selected: () => readonly Entry[]
}): Tasks {
  const [task, setTask] = useState<Task>()
  const [opened, setOpened] = useState<{ entries: readonly Entry[]; place: MenuPlace }>()

  const run = (action: EntryAction, entries: readonly Entry[]) => {
    setOpened(undefined)
    const [entry] = entries
    if (!entry) return
    const opens = action === 'open' || action === 'preview'
    if (opens && entry.kind === 'folder') return options.onOpenFolder(entry.group.ID)
    if (action === 'preview') {
      if (isFile(entry)) options.onPreview(entry)
      else setTask({ action: 'open', entries })
      return
    }
    if (action === 'download' || action === 'zip') {
      const wish = wishOf(entries, action === 'zip')
      if (wish?.encrypted) return setTask({ action, entries })
      if (wish)
        chooseSaveLocation(savedName(wish), wish.size)
          .then(async (handle) => {
            // Asked for before the dialog of downloads opens. Without the key, files are saved encrypted.
            if (wish.archive && entries.some(isEncrypted)) await askVault()
            addDownload(handle ? { ...wish, handle } : wish)
          })
          .catch(() => {})
      return
    }
    // Deleting files can be undone with one click; only folders need a confirmation.
    if (action === 'delete' && entries.every(({ kind }) => kind === 'asset'))
      return void trashEntries(entries).then((gone) => gone && options.onDone())
    setTask({ action, entries })
  }
  const entriesFor = (entry: Entry, selection: Selection) =>
    selection.keys.has(entry.key) && selection.keys.size > 1 ? options.selected() : [entry]

  return {
    run,
    act: (action, entry, selection) =>
      run(action, action === 'move' || action === 'delete' ? entriesFor(entry, selection) : [entry]),
    menu: (entry, place, selection) => setOpened({ entries: entriesFor(entry, selection), place }),
    view: (
      <>
        {opened && (
          <EntryMenu
            entries={opened.entries}
            place={opened.place}
            onAction={run}
            onClose={() => setOpened(undefined)}
          />
        )}
        {task && (
          <EntryDialogs
            task={task}
            onClose={() => setTask(undefined)}
            onDone={options.onDone}
            onTask={({ action, entries }) => {
              setTask(undefined)
              run(action, entries)
            }}
          />
        )}
      </>
    ),
  }
}
