import { create } from 'zustand'
import { onSessionEnd } from '../../lib/session-store.ts'

/** The topic that the support panel opens with. */
export type SupportTopic = 'support' | 'feedback' | 'contact'

interface Support {
  /** Topic of the open panel; undefined if it is closed. */
  topic: SupportTopic | undefined
  /** Unread messages from support. */
  unread: number
  /** Items that were left on this device without an account, to be offered; see ../adoption/found.ts. */
  adoptable: number
}

export const useSupport = create<Support>()(() => ({ topic: undefined, unread: 0, adoptable: 0 }))

export const openSupport = (topic: SupportTopic): void =>
  useSupport.setState(topic === 'support' ? { topic, unread: 0 } : { topic })
export const closeSupport = (): void => useSupport.setState({ topic: undefined })

/** `99+` above 99. */
export const badgeOf = (unread: number): string => (unread > 99 ? '99+' : String(unread))

/** Local storage key of the token that a visitor's conversation belongs to. */
export const VISITOR_KEY = 'tidenet.chat'

/** Drafts and messages that were not sent, in session storage. */
export const UNSENT_PREFIX = 'tidenet.chat.'

// The next person at a shared device must not find what was not sent. After an expired session, the same person signs in again.
onSessionEnd((why) => {
  if (why === 'expired') return
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(UNSENT_PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // Without storage, nothing is kept.
  }
})

/** Local storage key of the anonymous uploads of this browser; see ../adoption/own-uploads.ts. */
export const UPLOADS_KEY = 'tidenet.left'
/** Local storage key of the guest workspace's key. */
export const GUEST_KEY = 'tidenet.guest'

/** Whether something may have been left on this device without an account: nobody else needs to look for it. */
export function mayHaveLeft(): boolean {
  try {
    return [VISITOR_KEY, UPLOADS_KEY, GUEST_KEY].some((key) => localStorage.getItem(key) !== null)
  } catch {
    return false
  }
}

/** The token of this browser's conversation without an account; empty if there is none. */
export function readVisitor(): string {
  try {
    return localStorage.getItem(VISITOR_KEY) ?? ''
  } catch {
    return ''
  }
}

export function storeVisitor(visitor: string): void {
  try {
    if (visitor) localStorage.setItem(VISITOR_KEY, visitor)
    else localStorage.removeItem(VISITOR_KEY)
  } catch {
    // Without storage, the conversation ends with the page.
  }
}
