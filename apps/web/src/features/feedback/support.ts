import { create } from 'zustand'

/** What somebody wants to say: the panel begins with it. */
export type SupportTopic = 'support' | 'feedback' | 'contact'

interface Support {
  /** The panel is open about this. */
  topic: SupportTopic | undefined
  /** Messages of an agent that were not seen. */
  unread: number
}

export const useSupport = create<Support>()(() => ({ topic: undefined, unread: 0 }))

export const openSupport = (topic: SupportTopic): void => useSupport.setState({ topic, unread: 0 })
export const closeSupport = (): void => useSupport.setState({ topic: undefined })

/** At most two digits: `99+` above. */
export const badgeOf = (unread: number): string => (unread > 99 ? '99+' : String(unread))
