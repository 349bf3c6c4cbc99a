import { create } from 'zustand'
import { loadWallet, type StoredWallet } from './store.ts'

/** A request of the built-in wallet that the user must approve. */
export interface Request {
  /** `connect`: unlock only, nothing is signed. */
  kind: 'connect' | 'text' | 'transaction'
  /** The exact text to be signed. */
  text: string
  /** An approval contains the text that was shown, and is valid only for that text. */
  decide: (answer: { yes: true; text: string } | { yes: false }) => void
}

interface BuiltIn {
  /** Undefined while loading; null if there is none. */
  stored: StoredWallet | null | undefined
  /** Whether the wallet is unlocked in this tab. */
  open: boolean
  request: Request | undefined
  /** Mounted prompts; the last one shows the request. */
  hosts: readonly string[]
}

/** State of the built-in wallet. Only signer.ts has access to its key. */
export const useBuiltIn = create<BuiltIn>()(() => ({
  stored: undefined,
  open: false,
  request: undefined,
  hosts: [],
}))

const tabs = import.meta.env.SSR ? undefined : new BroadcastChannel('tidenet-wallet')

/** Loads the stored wallet. @throws WalletError `unreadable` */
export async function readBuiltIn(): Promise<StoredWallet | undefined> {
  const stored = await loadWallet()
  const before = useBuiltIn.getState().stored
  // If the wallet changed, the unlocked one is outdated.
  const same = before?.address === stored?.address
  useBuiltIn.setState({ stored: stored ?? null, ...(!same && { open: false }) })
  return stored
}

/** Notifies other tabs that the wallet was created or removed. */
export const notifyTabs = (): void => tabs?.postMessage('changed')

tabs?.addEventListener('message', () => void readBuiltIn().catch(() => {}))
