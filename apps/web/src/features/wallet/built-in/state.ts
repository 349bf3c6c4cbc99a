import { create } from 'zustand'
import { loadWallet, type StoredWallet } from './store.ts'

/** What the wallet of this browser asks its person before it does it. */
export interface Request {
  /** `connect`: to be opened, nothing more. */
  kind: 'connect' | 'text' | 'transaction'
  /** What would be signed, as it is. */
  shown: string
  /** Yes is said to what was on the screen, and counts for nothing else. */
  decide: (answer: { yes: true; read: string } | { yes: false }) => void
}

interface BuiltIn {
  /** Undefined until it was read; null: there is none. */
  stored: StoredWallet | null | undefined
  /** The password was given in this tab a short while ago. */
  open: boolean
  request: Request | undefined
  /** Places that can show what is asked; the last one does. */
  hosts: readonly string[]
}

/** The wallet of this browser, as pages see it. Its key is held by signer.ts alone. */
export const useBuiltIn = create<BuiltIn>()(() => ({
  stored: undefined,
  open: false,
  request: undefined,
  hosts: [],
}))

const tabs = import.meta.env.SSR ? undefined : new BroadcastChannel('tidenet-wallet')

/** Reads what is kept in this browser. @throws WalletError `unreadable` */
export async function readBuiltIn(): Promise<StoredWallet | undefined> {
  const stored = await loadWallet()
  const before = useBuiltIn.getState().stored
  // Another wallet, or none: what was opened before is not this one.
  const same = before?.address === stored?.address
  useBuiltIn.setState({ stored: stored ?? null, ...(!same && { open: false }) })
  return stored
}

/** Tells the other tabs that the wallet was made or removed. */
export const tellTabs = (): void => tabs?.postMessage('changed')

tabs?.addEventListener('message', () => void readBuiltIn().catch(() => {}))
