import {
  CHAT_STREAMS,
  CHAT_STREAMS_KEPT,
  CHAT_STREAMS_OF_ACCOUNTS,
  CHAT_STREAMS_OF_NEWCOMERS,
  CHAT_STREAMS_OF_VISITORS,
  CHAT_STREAMS_PER_NETWORK,
} from '@tidenet/contract'

/** `newcomer`: a visitor who has written nothing yet, which costs nothing; `visitor`: one with a conversation. */
export type Kind = 'newcomer' | 'visitor' | 'account'

export interface Place {
  /** The newcomer has begun a conversation. */
  promote(): void
  leave(): void
}

/**
 * Limits the open streams of one server. Visitors are many networks for little money, so they can never use up what is for accounts, and
 * those who have not written never what is for those who have.
 */
export function createRooms() {
  const open = { newcomer: 0, visitor: 0, account: 0 }
  const networks = new Map<string, number>()
  const total = () => open.newcomer + open.visitor + open.account

  /** Accounts and newcomers keep this much free for visitors who have written. */
  const keepsRoom = () => open.newcomer + open.account < CHAT_STREAMS - CHAT_STREAMS_KEPT
  const admits: Record<Kind, () => boolean> = {
    account: () => open.account < CHAT_STREAMS_OF_ACCOUNTS && keepsRoom(),
    visitor: () => open.newcomer + open.visitor < CHAT_STREAMS_OF_VISITORS,
    newcomer: () =>
      open.newcomer < CHAT_STREAMS_OF_NEWCOMERS &&
      open.newcomer + open.visitor < CHAT_STREAMS_OF_VISITORS &&
      keepsRoom(),
  }
  return {
    hasRoom: (kind: Kind, clientNetwork: string): boolean =>
      total() < CHAT_STREAMS && (networks.get(clientNetwork) ?? 0) < CHAT_STREAMS_PER_NETWORK && admits[kind](),

    enter(kind: Kind, clientNetwork: string): Place {
      let now = kind
      open[now] += 1
      networks.set(clientNetwork, (networks.get(clientNetwork) ?? 0) + 1)
      return {
        promote() {
          if (now !== 'newcomer') return
          open[now] -= 1
          now = 'visitor'
          open[now] += 1
        },
        leave() {
          open[now] -= 1
          const left = (networks.get(clientNetwork) ?? 0) - 1
          if (left > 0) networks.set(clientNetwork, left)
          else networks.delete(clientNetwork)
        },
      }
    },
  }
}
