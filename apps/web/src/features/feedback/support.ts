import { create } from 'zustand'

/** The topic that the support dialog opens with. */
export type SupportTopic = 'support' | 'feedback' | 'contact'

interface Support {
  /** Topic of the open dialog; undefined if it is closed. */
  topic: SupportTopic | undefined
  /** Unread messages from support. */
  unread: number
}

export const useSupport = create<Support>()(() => ({ topic: undefined, unread: 0 }))

export const openSupport = (topic: SupportTopic): void => useSupport.setState({ topic, unread: 0 })
export const closeSupport = (): void => useSupport.setState({ topic: undefined })

/** `99+` above 99. */
export const badgeOf = (unread: number): string => (unread > 99 ? '99+' : String(unread))
