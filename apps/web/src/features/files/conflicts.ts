import { ASSET_NAME_MAX } from '@tidenet/contract/constants'
import { create } from 'zustand'
import { api } from '../../lib/api.ts'
import type { Picked } from '../transfers/picked.ts'
import type { Planned, Replaced } from '../transfers/uploads.ts'
import { freeName } from './free-name.ts'

export type Answer = 'both' | 'replace' | 'skip'

/** Something that is there under the name that something new has. */
export interface There extends Replaced {
  size: number
  created_at: string
}

export interface Conflict {
  picked: Picked
  there: There
  /** The name it would get beside the other. */
  free: string
}

interface Asking {
  conflicts: readonly Conflict[]
  folder: string
  /** Told what to do with each; nothing when all is called off. */
  answer: (answers: readonly Answer[] | undefined) => void
}

/** The question that is open; one dialog asks it, on whatever page. */
export const useConflicts = create<{ asking: Asking | undefined }>()(() => ({ asking: undefined }))

const ask = (conflicts: readonly Conflict[], folder: string) =>
  new Promise<readonly Answer[] | undefined>((resolve) => {
    // Two batches at once are asked about one after the other.
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

const NAMES_AT_ONCE = 2000

/** What has one of these names in a folder. */
async function findThere(folder: number, names: readonly string[]): Promise<Map<string, There>> {
  const there = new Map<string, There>()
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    const { list } = await api('folders.findNames', { parent: folder, names: names.slice(from, from + NAMES_AT_ONCE) })
    for (const { name, ...item } of list) there.set(name, item)
  }
  return there
}

/**
 * Gives everything that is to be uploaded a name of its own: what is taken is asked about, once for the whole batch.
 * @param waiting names that uploads in the queue are about to take
 * @returns what is to be uploaded, or nothing when the person called it off
 */
export async function settleNames(
  picked: readonly Picked[],
  folder: { id: number; name: string },
  waiting: ReadonlySet<string>,
): Promise<Planned[]> {
  const there = await findThere(folder.id, [...new Set(picked.map(({ name }) => name))])
  const taken = new Set([...there.keys(), ...waiting])
  const conflicts: Conflict[] = []
  const planned: (Planned | Conflict)[] = []
  for (const one of picked) {
    const found = there.get(one.name)
    const free = freeName(one.name, taken, ASSET_NAME_MAX, one.kind === 'folder')
    taken.add(free)
    // Two of one name in a batch are both wanted: they came from different places.
    if (!found) planned.push({ ...one, name: free })
    else {
      const conflict = { picked: one, there: found, free }
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
    if (answer === 'skip') return []
    return [answer === 'replace' ? { ...each.picked, replaces: each.there } : { ...each.picked, name: each.free }]
  })
}
