import { createPersistedStore } from '../../lib/persisted-store.ts'

/** A payment that was signed in this browser. `hash` is empty if no answer came when it was sent. */
export interface Sent {
  hash: string
  /** Unix time in ms. */
  at: number
}

const MAX = 20

const isSent = (value: unknown): value is Sent => {
  const { hash, at } = (value ?? {}) as Partial<Sent>
  return typeof hash === 'string' && typeof at === 'number'
}

/**
 * Payments by id of the exchange, so that a page that is opened again waits for them and does not offer to pay a second time.
 */
export const useSent = createPersistedStore<{ sent: Readonly<Record<string, Sent>> }>(
  'tidenet.exchange',
  { sent: {} },
  ({ sent }) => ({ sent: Object.fromEntries(Object.entries(sent ?? {}).filter(([, value]) => isSent(value))) }),
)

const change = (of: (sent: Readonly<Record<string, Sent>>) => Readonly<Record<string, Sent>>) => {
  // Another tab may have changed it.
  useSent.reread()
  useSent.setState({ sent: of(useSent.getState().sent) })
}

export const rememberSent = (id: string, hash: string, at = Date.now()): void =>
  change((sent) =>
    Object.fromEntries(
      Object.entries({ ...sent, [id]: { hash, at } })
        .sort(([, a], [, b]) => b.at - a.at)
        .slice(0, MAX),
    ),
  )

export const forgetSent = (id: string): void => change(({ [id]: _, ...others }) => others)
