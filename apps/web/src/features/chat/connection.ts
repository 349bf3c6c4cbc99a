import type { ChatConversation, Output, RouteOf } from '@tidenet/contract'
import { CHAT_VISITOR_INVALID } from '@tidenet/contract/chat'
import { paths } from '@tidenet/contract/paths.gen'
import type { Refusal, StreamEvent } from '../../lib/event-stream.ts'
import { applyPlan } from '../../lib/session.ts'
import { currentToken, useSession } from '../../lib/session-store.ts'
import { openSharedStream } from '../../lib/shared-stream.ts'
import { lang } from '../../lib/texts.ts'
import { readVisitor, storeVisitor, useSupport, VISITOR_KEY } from '../feedback/support.ts'
import { caller, chatCall, isVisitorInvalid, requireVisitor } from './client.ts'
import { afterSending, retryTemporary, sendAll } from './outbox.ts'
import { addMessages, chatState, nobody, readOutbox, useChat } from './store.ts'
import { gapAfter } from './timeline.ts'
import { watchTitle } from './title.ts'

type Events = Output<RouteOf<'chat.events'>>

/** Time until the next attempt if the server refused the stream of a session that continues. */
const REFUSED_RETRY_MS = 30_000
/** Tells the other tabs of an account that it has begun a conversation: they are not connected until then. */
const BEGAN = 'tidenet.chat.began'

const isOpen = () => useSupport.getState().topic === 'support'
const isRead = () => isOpen() && document.visibilityState === 'visible'

let closeStream: (() => void) | undefined
let streamOf = ''
let retry: ReturnType<typeof setTimeout> | undefined
/** Increases when another account, or another visitor, is the caller: answers for the previous one are dropped. */
let generation = 0
let isStarted = false
let began: BroadcastChannel | undefined

/** Follows the conversation of whoever uses this page. Call it as often as you like. */
export function startChat(): void {
  if (isStarted) return
  isStarted = true
  if (typeof BroadcastChannel !== 'undefined') {
    began = new BroadcastChannel(BEGAN)
    began.onmessage = ({ data }) => {
      if (data === chatState().account && !chatState().conversation) void loadState()
    }
  }
  useSession.subscribe(({ address }, before) => {
    if (address !== before.address) begin()
  })
  useSupport.subscribe(({ topic }, before) => {
    if (topic === before.topic) return
    if (isOpen()) void opened()
    else adjustStream()
  })
  window.addEventListener('storage', ({ key }) => {
    if ((key === VISITOR_KEY || key === null) && !chatState().account && readVisitor() !== chatState().visitor) begin()
  })
  document.addEventListener('visibilitychange', markRead)
  afterSending(() => {
    if (chatState().conversation?.last_seq === 1) began?.postMessage(chatState().account)
    adjustStream()
    void fillGaps()
    markRead()
  })
  watchTitle()
  begin()
}

function begin(): void {
  generation += 1
  disconnect()
  const account = useSession.getState().address
  const visitor = account ? '' : readVisitor()
  useChat.setState({ ...nobody, account, visitor, outbox: readOutbox(account) })
  useSupport.setState({ unread: 0 })
  if (isOpen()) void opened()
  else if (account || visitor) void loadState()
}

/** Loads what is needed to show the conversation; again after a failure. */
export async function opened(): Promise<void> {
  const mine = generation
  useChat.setState({ failure: undefined })
  try {
    await requireVisitor()
    if (!chatState().isLoaded) await loadState(true)
    if (!chatState().hasHistory) await loadHistory()
    else void fillGaps(true)
  } catch (failure) {
    if (mine === generation) useChat.setState({ failure })
  }
  if (mine !== generation) return
  adjustStream()
  markRead()
  void sendAll()
}

async function loadState(throws = false): Promise<void> {
  const mine = generation
  const { account, visitor, conversation: before } = chatState()
  try {
    const state = await chatCall('chat.state', {})
    // Events that arrived meanwhile are newer.
    if (mine !== generation || chatState().conversation !== before) return
    useChat.setState({ isLoaded: true, agentOnline: state.online })
    setConversation(state.conversation)
    adjustStream()
  } catch (error) {
    if (mine !== generation) return
    if (isVisitorInvalid(error) && visitor && !account) {
      storeVisitor('')
      begin()
    } else if (throws) throw error
  }
}

async function loadHistory(): Promise<void> {
  const mine = generation
  if (!chatState().conversation) {
    useChat.setState({ hasHistory: true })
    return
  }
  const page = await chatCall('chat.messages', {})
  if (mine !== generation) return
  useChat.setState({ hasHistory: true })
  addPage(page)
  // Messages that arrived meanwhile were not kept.
  void fillGaps(true)
}

/** Loads messages before the first one. @throws ApiError */
export async function loadEarlier(): Promise<void> {
  const mine = generation
  const before = chatState().messages[0]?.seq
  if (before === undefined) return
  const page = await chatCall('chat.messages', { before })
  if (mine === generation) addPage(page)
}

/** @returns whether it contained messages of the present conversation, which may have been deleted meanwhile */
function addPage({ conversation, list }: Output<RouteOf<'chat.messages'>>): boolean {
  if (conversation === null || conversation !== chatState().conversation?.id || list.length === 0) return false
  addMessages(conversation, list)
  return true
}

let isFilling = false

/** The number after which messages are missing. @param toEnd also those that the conversation has after the last one here */
function missingAfter(toEnd: boolean): number | undefined {
  const { messages, conversation } = chatState()
  const last = messages.at(-1)?.seq ?? 0
  return gapAfter(messages) ?? (toEnd && conversation && conversation.last_seq > last ? last : undefined)
}

async function fillGaps(toEnd = false): Promise<void> {
  if (isFilling) return
  isFilling = true
  try {
    for (let after = missingAfter(toEnd); after !== undefined; after = missingAfter(toEnd)) {
      const mine = generation
      // Without any message here, the last ones are enough.
      const page = await chatCall('chat.messages', after > 0 ? { after } : {})
      if (mine !== generation || !addPage(page)) return
    }
  } catch {
    // The next message tries again.
  } finally {
    isFilling = false
  }
}

/** Applies the state of the conversation from the server. */
function setConversation(conversation: ChatConversation | null): void {
  if (chatState().messagesOf !== (conversation?.id ?? '')) useChat.setState({ messages: [], messagesOf: '' })
  useChat.setState({ conversation })
  useSupport.setState({ unread: isRead() ? 0 : (conversation?.unread ?? 0) })
  markRead()
}

let reading = 0

/** Marks everything as read while the panel is open and visible. */
function markRead(): void {
  const { conversation } = chatState()
  if (!conversation || conversation.unread === 0 || !isRead() || reading >= conversation.last_seq) return
  const seq = conversation.last_seq
  reading = seq
  useSupport.setState({ unread: 0 })
  const mine = generation
  void chatCall('chat.read', { seq })
    .then(({ unread }) => {
      const { conversation: now } = chatState()
      if (mine === generation && now && now.read_seq < seq)
        useChat.setState({ conversation: { ...now, read_seq: seq, unread } })
    })
    .catch(() => {})
    .finally(() => {
      reading = 0
    })
}

/** Connects while the panel is open, or an open conversation waits for an answer. */
function adjustStream(): void {
  const { account, visitor, conversation } = chatState()
  const owner = account || visitor
  const wanted = owner !== '' && (isOpen() || conversation?.state === 'open') ? owner : ''
  if (wanted === streamOf) return
  // A closed conversation stays connected: the agent may open it again while this page is open.
  if (!wanted && conversation) return
  disconnect()
  if (!wanted) return
  streamOf = wanted
  closeStream = openSharedStream(`tidenet.chat.${wanted}`, {
    url: paths['chat.events'].path,
    headers: (): Record<string, string> => {
      const token = currentToken()
      return { lang, ...(token && { JwtAuthorization: `Bearer ${token}` }) }
    },
    body: caller,
    lastId: conversation ? `${conversation.id}:${chatState().messages.at(-1)?.seq ?? conversation.last_seq}` : '',
    onEvent,
    onState: (isConnected) => {
      useChat.setState({ isConnected })
      if (isConnected) retryTemporary()
    },
    onRefused,
  })
}

function disconnect(): void {
  closeStream?.()
  closeStream = undefined
  streamOf = ''
  if (retry) clearTimeout(retry)
  useChat.setState({ isConnected: undefined })
}

function onRefused({ err }: Refusal): void {
  disconnect()
  const { account, visitor } = chatState()
  if (!account && err === CHAT_VISITOR_INVALID) {
    if (readVisitor() === visitor) storeVisitor('')
    begin()
    return
  }
  useChat.setState({ isConnected: false })
  // If the session has ended, lib/session.ts notices it, and this is over.
  retry = setTimeout(adjustStream, REFUSED_RETRY_MS)
}

const handlers: { [K in keyof Events]: (data: Events[K], id: string) => void } = {
  message: (message, id) => {
    if (!chatState().hasHistory) return
    addMessages(id.slice(0, id.lastIndexOf(':')), [message])
    void fillGaps()
  },
  conversation: setConversation,
  agents: ({ online }) => useChat.setState({ agentOnline: online }),
  account: applyAccount,
}

function onEvent({ type, data, id }: StreamEvent): void {
  handlers[type as keyof Events]?.(JSON.parse(data) as never, id)
}

let quotas = ''

function applyAccount({ vip, role, storage, download_traffic }: Events['account']): void {
  const { address } = useSession.getState()
  applyPlan({ uid: address, vip, role })
  const next = `${address} ${storage} ${download_traffic}`
  const changed = quotas.startsWith(`${address} `) && quotas !== next
  quotas = next
  if (changed) void import('../../lib/queries.ts').then(({ queries }) => queries.invalidateQueries())
}

/** Forgets the conversation here, after it was deleted or added to an account. */
export function restartChat(): void {
  begin()
}
