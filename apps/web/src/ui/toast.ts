import { messageOf } from '../lib/api.ts'

export interface Said {
  id: number
  text: string
  tone: 'good' | 'bad'
  action?: { title: string; act: () => void } | undefined
}

const MOST = 4
let said: readonly Said[] = []
let last = 0
const listeners = new Set<() => void>()

function set(next: readonly Said[]): void {
  said = next
  for (const listener of listeners) listener()
}

function add(text: string, tone: Said['tone'], ms: number, action?: Said['action']): void {
  last += 1
  const id = last
  // The same text shows once, and begins its time again.
  set([...said.filter((one) => one.text !== text), { id, text, tone, action }].slice(-MOST))
  setTimeout(() => drop(id), ms)
}

export const drop = (id: number) => set(said.filter((one) => one.id !== id))

/** Says briefly that something went well, and offers one thing to do about it, such as taking it back. */
export function tell(text: string, action?: { title: string; act: () => void }): void {
  add(text, 'good', action ? 10_000 : 4000, action)
}

/** Says what went wrong; stays longer and is read out at once. */
export function warn(failure: unknown): void {
  add(typeof failure === 'string' ? failure : messageOf(failure), 'bad', 8000)
}

/** The messages on the screen now. */
export const nowSaid = (): readonly Said[] => said

export function onSaid(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
