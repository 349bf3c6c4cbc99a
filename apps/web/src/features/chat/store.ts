import type { ChatConversation, ChatMessage } from '@tidenet/contract'
import { create } from 'zustand'
import { UNSENT_PREFIX } from '../feedback/support.ts'
import { mergeMessages, type Outgoing, unconfirmed } from './timeline.ts'

export interface Chat {
  /** Whose conversation it is: the uid of the account; empty: a visitor's. */
  account: string
  /** The visitor token; empty if there is none yet, or somebody is signed in. */
  visitor: string
  /** Whether the state of the conversation is known. */
  isLoaded: boolean
  /** Why it could not be loaded. */
  failure: unknown
  /** Whether events arrive; undefined before the first attempt. */
  isConnected: boolean | undefined
  /** An agent is online; undefined: unknown. */
  agentOnline: boolean | undefined
  conversation: ChatConversation | null
  /** The last messages, without gaps, oldest first; empty until the panel is opened. */
  messages: readonly ChatMessage[]
  /** Id of the conversation that `messages` belong to; empty: of none. */
  messagesOf: string
  /** Whether `messages` were loaded. */
  hasHistory: boolean
  outbox: readonly Outgoing[]
}

export const nobody: Chat = {
  account: '',
  visitor: '',
  isLoaded: false,
  failure: undefined,
  isConnected: undefined,
  agentOnline: undefined,
  conversation: null,
  messages: [],
  messagesOf: '',
  hasHistory: false,
  outbox: [],
}

/** The conversation with support, of the account or of the visitor. */
export const useChat = create<Chat>()(() => nobody)

export const chatState = useChat.getState
const set = useChat.setState

/** Unsent messages and drafts survive a reload of the tab; other tabs and later visitors of the device do not see them. */
const storageKey = (kind: 'draft' | 'outbox', owner: string) => `${UNSENT_PREFIX}${kind}.${owner || 'visitor'}`

function readStored(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function store(key: string, value: string): void {
  try {
    if (value) sessionStorage.setItem(key, value)
    else sessionStorage.removeItem(key)
  } catch {
    // Without storage, it lives as long as the page.
  }
}

export const readDraft = (owner: string): string => readStored(storageKey('draft', owner))
export const storeDraft = (owner: string, text: string): void => store(storageKey('draft', owner), text)

/** Messages that were not confirmed when the page was left. They are sent again, with the same ids. */
export function readOutbox(account: string): Outgoing[] {
  try {
    const stored: unknown = JSON.parse(readStored(storageKey('outbox', account)) || '[]')
    if (!Array.isArray(stored)) return []
    return stored
      .filter(
        (each): each is Outgoing =>
          typeof each?.id === 'string' && typeof each?.text === 'string' && typeof each?.at === 'number',
      )
      .map(({ id, text, at, attachment }) => ({
        id,
        owner: account,
        text,
        at,
        ...(attachment && { attachment }),
        state: 'sending',
      }))
  } catch {
    return []
  }
}

export function setOutbox(outbox: readonly Outgoing[]): void {
  set({ outbox })
  store(storageKey('outbox', chatState().account), outbox.length > 0 ? JSON.stringify(outbox) : '')
}

export const changeOutgoing = (id: string, facts: Partial<Outgoing>): void =>
  setOutbox(chatState().outbox.map((each) => (each.id === id ? { ...each, ...facts } : each)))

/** Adds confirmed messages; those of another conversation, which was deleted, are forgotten. */
export function addMessages(conversation: string, added: readonly ChatMessage[]): void {
  const { messages, messagesOf, outbox } = chatState()
  const known = messagesOf === conversation ? messages : []
  set({ messages: mergeMessages(known, added), messagesOf: conversation })
  const left = unconfirmed(outbox, added)
  if (left.length < outbox.length) setOutbox(left)
}
