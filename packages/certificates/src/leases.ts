import { randomUUID } from 'node:crypto'
import type { Clock } from '@tidenet/daemon'
import type { Documents } from './documents.ts'

/** A lease that is not extended ends after this time, for example because its process was killed. */
const LEASE_MS = 120_000
const EXTEND_MS = 30_000

interface LeaseDocument {
  holder: string
  /** Unix ms. */
  until: number
}

export interface Lease {
  /** Aborted when the lease was lost, because this process stood still for longer than the lease lasts. */
  signal: AbortSignal
  release(): Promise<void>
}

/** Whether somebody has the lease of this name. */
export async function isLeased(documents: Documents, clock: Clock, name: string): Promise<boolean> {
  const lease = await documents.read<LeaseDocument>(`lease/${name}`)
  return lease !== undefined && lease.until > clock.now()
}

/** Takes the lease of this name; undefined if somebody else has it. It is extended until it is released. */
export async function acquireLease(documents: Documents, clock: Clock, name: string): Promise<Lease | undefined> {
  const key = `lease/${name}`
  const holder = randomUUID()
  const extend = (isFirst: boolean) =>
    documents.change<LeaseDocument, boolean>(key, (before) => {
      const isOurs = before?.holder === holder
      const isFree = isFirst && (!before || before.until <= clock.now())
      return isOurs || isFree
        ? { after: { holder, until: clock.now() + LEASE_MS }, result: true }
        : { after: before, result: false }
    })
  if (!(await extend(true))) return undefined

  const lost = new AbortController()
  const lose = () => lost.abort(new Error('The lease was lost.'))
  const timer = setInterval(() => {
    extend(false).then(
      (extended) => extended || lose(),
      // The store does not answer: the lease may have ended meanwhile.
      lose,
    )
  }, EXTEND_MS)
  timer.unref()
  return {
    signal: lost.signal,
    async release() {
      clearInterval(timer)
      await documents.change<LeaseDocument, void>(key, (before) => ({
        after: before?.holder === holder ? undefined : before,
        result: undefined,
      }))
    },
  }
}
