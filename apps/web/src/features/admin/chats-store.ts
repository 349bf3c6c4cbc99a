import type { DeskConversation, DeskMessage, DeskNote, Output, RouteOf } from '@tidenet/contract'
import { paths } from '@tidenet/contract/paths.gen'
import { create } from 'zustand'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import type { StreamEvent } from '../../lib/event-stream.ts'
import { queries, refresh } from '../../lib/queries.ts'
import { currentToken, useSession } from '../../lib/session-store.ts'
import { openSharedStream } from '../../lib/shared-stream.ts'
import { lang } from '../../lib/texts.ts'
import { newId } from '../chat/outbox.ts'
import { gapAfter, mergeMessages, type Outgoing, unconfirmed } from '../chat/timeline.ts'

type Events = Output<RouteOf<'chatDesk.events'>>
type List = Output<RouteOf<'chatDesk.list'>>

/** An answer or a note that the server has not confirmed yet. */
export interface DeskOutgoing extends Outgoing {
  conversation: number
  kind: 'answer' | 'note'
}

/** The conversation that is shown. */
export interface OpenConversation {
  id: number
  conversation: DeskConversation
  messages: readonly DeskMessage[]
  notes: readonly DeskNote[]
  hasMore: boolean
}

interface Desk {
  /** Undefined before the first attempt. */
  isConnected: boolean | undefined
  counts: Events['counts'] | undefined
  /** Account ids of the agents that are online. */
  online: readonly string[]
  /** Id of the conversation that is shown or being loaded. */
  wanted: number | undefined
  open: OpenConversation | undefined
  failure: unknown
  outbox: readonly DeskOutgoing[]
}

/** The agents' desk. */
export const useDesk = create<Desk>()(() => ({
  isConnected: undefined,
  counts: undefined,
  online: [],
  wanted: undefined,
  open: undefined,
  failure: undefined,
  outbox: [],
}))

const get = useDesk.getState
const set = useDesk.setState

/** Time in which changes of the lists are collected before they are loaded again. */
const COLLECT_MS = 400

/** Follows all conversations; the agent is online until the returned function is called. */
export function followDesk(): () => void {
  const { address } = useSession.getState()
  const close = openSharedStream(`tidenet.desk.${address}`, {
    url: paths['chatDesk.events'].path,
    headers: () => ({ lang, JwtAuthorization: `Bearer ${currentToken()}` }),
    lastId: '',
    onEvent,
    onState: (isConnected) => {
      set({ isConnected })
      if (isConnected) retryTemporary()
    },
    onRefused: () => set({ isConnected: false }),
  })
  return () => {
    close()
    set({ isConnected: undefined, online: [] })
  }
}

const handlers: { [K in keyof Events]: (data: Events[K]) => void } = {
  ready: (counts) => {
    set({ counts })
    reloadLists()
    void catchUp()
  },
  counts: (counts) => set({ counts }),
  agents: ({ online }) => {
    set({ online })
    refresh('chatDesk.agents')
  },
  conversation: applyConversation,
  message: ({ conversation, ...message }) => addMessages(conversation, [message]),
  note: ({ conversation, ...note }) => addNote(conversation, note),
  removed: ({ id }) => {
    if (get().open?.id === id) set({ open: undefined, wanted: undefined, failure: undefined })
    reloadLists()
  },
}

function onEvent({ type, data }: StreamEvent): void {
  handlers[type as keyof Events]?.(JSON.parse(data) as never)
}

let isCollecting = false

function reloadLists(): void {
  if (isCollecting) return
  isCollecting = true
  setTimeout(() => {
    isCollecting = false
    refresh('chatDesk.list')
  }, COLLECT_MS)
}

/** Shows a changed conversation at once; the lists that contain it are loaded soon after. */
export function applyConversation(conversation: DeskConversation): void {
  const { open } = get()
  if (open?.id === conversation.id) set({ open: { ...open, conversation } })
  queries.setQueriesData<List>(
    { queryKey: ['chatDesk.list'] },
    (page) => page && { ...page, list: page.list.map((each) => (each.id === conversation.id ? conversation : each)) },
  )
  reloadLists()
}

/** Shows a conversation; undefined: none. */
export async function openConversation(id: number | undefined): Promise<void> {
  set({ wanted: id, failure: undefined, ...(get().open?.id !== id && { open: undefined }) })
  if (id === undefined) return
  try {
    const { conversation, messages, notes, more } = await api('chatDesk.conversation', { id })
    if (get().wanted === id) set({ open: { id, conversation, messages, notes, hasMore: more } })
  } catch (failure) {
    if (get().wanted === id) set({ failure })
  }
}

/** Loads messages before the first one. @throws ApiError */
export async function loadEarlier(): Promise<void> {
  const { open } = get()
  const before = open?.messages[0]?.seq
  if (!open || before === undefined) return
  const { messages, more } = await api('chatDesk.conversation', { id: open.id, before })
  const now = get().open
  if (now?.id !== open.id) return
  set({ open: { ...now, messages: mergeMessages(now.messages, messages), hasMore: more } })
}

let isFilling = false

/** Loads what the open conversation has got since. */
async function catchUp(after = get().open?.messages.at(-1)?.seq ?? 0): Promise<void> {
  const id = get().open?.id
  if (id === undefined) {
    if (get().failure && get().wanted !== undefined) await openConversation(get().wanted)
    return
  }
  const page = await api('chatDesk.conversation', { id, after }).catch(() => undefined)
  const { open } = get()
  if (!page || open?.id !== id) return
  set({ open: { ...open, conversation: page.conversation, notes: page.notes } })
  if (page.messages.length === 0) return
  addMessages(id, page.messages)
  if (page.more) await catchUp(page.messages.at(-1)?.seq)
}

function addMessages(id: number, added: readonly DeskMessage[]): void {
  const { open, outbox } = get()
  if (open?.id !== id) return
  const messages = mergeMessages(open.messages, added)
  set({ open: { ...open, messages }, outbox: unconfirmed(outbox, added) as DeskOutgoing[] })
  const after = gapAfter(messages)
  if (after !== undefined && !isFilling) {
    isFilling = true
    void catchUp(after).finally(() => {
      isFilling = false
    })
  }
}

function addNote(id: number, note: DeskNote): void {
  const { open, outbox } = get()
  set({ outbox: unconfirmed(outbox, [note]) as DeskOutgoing[] })
  if (open?.id !== id || open.notes.some((each) => each.id === note.id)) return
  set({ open: { ...open, notes: [...open.notes, note] } })
}

/** Shows an answer or a note at once, and sends it after those before it. */
export function sendFromDesk(
  conversation: number,
  kind: DeskOutgoing['kind'],
  text: string,
  attachment?: DeskOutgoing['attachment'],
): void {
  const content = { text, ...(attachment && { attachment }) }
  set({
    outbox: [
      ...get().outbox,
      {
        id: newId(),
        owner: useSession.getState().address,
        conversation,
        kind,
        ...content,
        at: Date.now(),
        state: 'sending',
      },
    ],
  })
  void sendAll()
}

export function retryFromDesk(id: string): void {
  change(id, { state: 'sending' })
  void sendAll()
}

export const discardFromDesk = (id: string): void => set({ outbox: get().outbox.filter((each) => each.id !== id) })

const change = (id: string, facts: Partial<DeskOutgoing>): void =>
  set({ outbox: get().outbox.map((each) => (each.id === id ? { ...each, ...facts } : each)) })

function retryTemporary(): void {
  for (const { id, isTemporary } of get().outbox) if (isTemporary) change(id, { state: 'sending', isTemporary: false })
  void sendAll()
}

let sending: Promise<void> | undefined

function sendAll(): Promise<void> {
  sending ??= (async () => {
    for (;;) {
      const next = get().outbox.find(({ state }) => state === 'sending')
      if (!next) return
      await send(next)
    }
  })().finally(() => {
    sending = undefined
  })
  return sending
}

async function send({ id, conversation, kind, text, attachment }: DeskOutgoing): Promise<void> {
  try {
    if (kind === 'note') {
      const { note } = await api('chatDesk.note', { id: conversation, note_id: id, text })
      addNote(conversation, note)
    } else {
      const { message } = await api('chatDesk.send', {
        id: conversation,
        message_id: id,
        text,
        ...(attachment && { attachment }),
      })
      addMessages(conversation, [message])
    }
    discardFromDesk(id)
  } catch (error) {
    const isTemporary = error instanceof ApiError && (error.kind === 'network' || error.kind === 'server')
    change(id, { state: 'failed', problem: messageOf(error), isTemporary })
  }
}
