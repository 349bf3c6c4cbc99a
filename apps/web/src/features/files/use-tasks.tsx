import { type ReactNode, useState } from 'react'
import { addDownload } from '../transfers/downloads.ts'
import { choosePlace } from '../transfers/save-place.ts'
import { savedName } from '../transfers/wish.ts'
import { trashEntries } from './changes.ts'
import type { Entry } from './entries.ts'
import { EntryDialogs, type Task, wishOf } from './entry-dialogs.tsx'
import type { RowAction } from './entry-events.ts'
import { type EntryAction, EntryMenu, type MenuPlace } from './entry-menu.tsx'
import type { Selection } from './selection.ts'

interface Tasks {
  /** Does something with these entries, or asks first. */
  run: (action: EntryAction, entries: readonly Entry[]) => void
  /** The same for a row; one that is chosen stands for all that are. */
  act: (action: RowAction, entry: Entry, selection: Selection) => void
  /** Shows what can be done with a row, or with all that are chosen with it. */
  menu: (entry: Entry, place: MenuPlace, selection: Selection) => void
  /** The menu or dialog in front. */
  view: ReactNode
}

/** What is done with rows: at once, in a menu, in a dialog. */
export function useTasks(needs: {
  onDone: () => void
  onOpenFolder: (id: number) => void
  /** All that are chosen. */
  all: () => readonly Entry[]
}): Tasks {
  const [task, setTask] = useState<Task>()
  const [opened, setOpened] = useState<{ entries: readonly Entry[]; place: MenuPlace }>()

  const run = (action: EntryAction, entries: readonly Entry[]) => {
    setOpened(undefined)
    const [entry] = entries
    if (!entry) return
    if (action === 'open' && entry.kind === 'folder') return needs.onOpenFolder(entry.group.ID)
    if (action === 'download') {
      const wish = wishOf(entries)
      if (wish?.encrypted) return setTask({ action, entries })
      if (wish)
        choosePlace(savedName(wish), wish.size)
          .then((handle) => addDownload(handle ? { ...wish, handle } : wish))
          .catch(() => {})
      return
    }
    // A file comes back with one click: only what takes much with it is asked about.
    if (action === 'delete' && entries.every(({ kind }) => kind === 'asset'))
      return void trashEntries(entries).then((gone) => gone && needs.onDone())
    setTask({ action, entries })
  }
  const together = (entry: Entry, selection: Selection) =>
    selection.keys.has(entry.key) && selection.keys.size > 1 ? needs.all() : [entry]

  return {
    run,
    act: (action, entry, selection) =>
      run(action, action === 'move' || action === 'delete' ? together(entry, selection) : [entry]),
    menu: (entry, place, selection) => setOpened({ entries: together(entry, selection), place }),
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
            onDone={needs.onDone}
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
