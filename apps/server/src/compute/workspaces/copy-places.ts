import type { TransferTask } from '../clusters/transfer-task.ts'

/** Which copies of folders run on this server. Each is a process of its own, so their number is bounded. */

type Kind = TransferTask['kind']

const AT_ONCE = 4
/** Neither saves nor starts can take all places. */
const OF_A_KIND = 3
/** Copies wait for machines of others, so no account can take all places. */
const OF_AN_ACCOUNT = 2

const running = new Set<{ kind: Kind; userId: number }>()

const count = (counts: (one: { kind: Kind; userId: number }) => boolean): number => [...running].filter(counts).length

/** How many more copies of a kind may begin. */
export const freePlaces = (kind: Kind): number =>
  Math.min(AT_ONCE - running.size, OF_A_KIND - count((one) => one.kind === kind))

/** @returns a function that gives the place back; undefined if there is none for this account */
export function takePlace(kind: Kind, userId: number): (() => void) | undefined {
  if (freePlaces(kind) <= 0 || count((one) => one.userId === userId) >= OF_AN_ACCOUNT) return undefined
  const place = { kind, userId }
  running.add(place)
  return () => void running.delete(place)
}
