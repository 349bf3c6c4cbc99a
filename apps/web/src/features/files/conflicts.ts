import { ASSET_NAME_MAX } from '@tidenet/contract/constants'
import { create } from 'zustand'
import { api } from '../../lib/api.ts'
import type { Picked } from '../transfers/picked.ts'
import type { Planned, Replaced } from '../transfers/upload-list.ts'
import { freeName } from './free-name.ts'

/** For a folder, `both`, `replace` and `skip` are about the files that it is merged with; `apart` keeps both folders. */
export type Answer = 'both' | 'replace' | 'skip' | 'apart'

/** An existing item with the name of a new one. */
export interface Existing extends Replaced {
  size: number
  created_at: string
}

export interface Conflict {
  picked: Picked
  there: Existing
  /** Both are folders, and can be merged. */
  merges: boolean
  /** A free name, to keep both. */
  free: string
}

interface Asking {
  conflicts: readonly Conflict[]
  folder: string
  /** Called with the answer for each conflict; undefined if the user cancels. */
  answer: (answers: readonly Answer[] | undefined) => void
}

/** The open question, shown by the ConflictDialog of the page. */
export const useConflicts = create<{ asking: Asking | undefined }>()(() => ({ asking: undefined }))

const ask = (conflicts: readonly Conflict[], folder: string) =>
  new Promise<readonly Answer[] | undefined>((resolve) => {
    // Batches are resolved one after the other.
    const open = () =>
      useConflicts.setState({
        asking: {
          conflicts,
          folder,
          answer(answers) {
            useConflicts.setState({ asking: undefined })
            resolve(answers)
          },
        },
      })
    if (!useConflicts.getState().asking) return open()
    const stop = useConflicts.subscribe(({ asking }) => {
      if (asking) return
      stop()
      open()
    })
  })

const NAMES_PER_REQUEST = 2000

/** The items of a folder that have one of these names: a file and a folder may have the same. */
export async function findExisting(folder: number, names: readonly string[]): Promise<Map<string, Existing[]>> {
  const there = new Map<string, Existing[]>()
  for (let from = 0; from < names.length; from += NAMES_PER_REQUEST) {
    const { list } = await api('folders.findNames', {
      parent: folder,
      names: names.slice(from, from + NAMES_PER_REQUEST),
    })
    for (const { name, ...item } of list) there.set(name, [...(there.get(name) ?? []), item])
  }
  return there
}

/**
 * Makes the names of a batch unique in their folder; asks once for the whole batch if names exist.
 * @param waiting names of queued uploads
 * @param sealed whether folders are stored as files, which cannot be merged
 * @returns the uploads; empty if the user cancels
 */
export async function resolveNames(
  picked: readonly Picked[],
  folder: { id: number; name: string },
  waiting: ReadonlySet<string>,
  sealed = false,
): Promise<Planned[]> {
  const there = await findExisting(folder.id, [...new Set(picked.map(({ name }) => name))])
  const taken = new Set([...there.keys(), ...waiting])
  const conflicts: Conflict[] = []
  const planned: (Planned | Conflict)[] = []
  for (const one of picked) {
    const all = there.get(one.name) ?? []
    const kind = one.kind === 'folder' && !sealed ? 'group' : one.kind
    const found = all.find((item) => item.kind === kind) ?? all[0]
    const free = freeName(one.name, taken, ASSET_NAME_MAX, one.kind === 'folder')
    taken.add(free)
    // Equal names within a batch come from different folders: keep both.
    if (!found) planned.push({ ...one, name: free })
    else {
      const conflict = { picked: one, there: found, free, merges: kind === 'group' && found.kind === 'group' }
      conflicts.push(conflict)
      planned.push(conflict)
    }
  }
  if (conflicts.length === 0) return planned as Planned[]
  const answers = await ask(conflicts, folder.name)
  if (!answers) return []
  return planned.flatMap((each): Planned[] => {
    if (!('there' in each)) return [each]
    const answer = answers[conflicts.indexOf(each)]
    if (each.merges && answer && answer !== 'apart') {
      const onConflict = answer === 'both' ? 'keep_both' : answer
      return [{ ...each.picked, into: Number(each.there.id), onConflict }]
    }
    if (answer === 'skip') return []
    return [answer === 'replace' ? { ...each.picked, replaces: each.there } : { ...each.picked, name: each.free }]
  })
}
