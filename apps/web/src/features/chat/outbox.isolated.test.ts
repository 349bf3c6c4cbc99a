import { errors } from '@tidenet/contract'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadTexts } from '../../lib/texts.ts'

interface Call {
  name: string
  input: { id?: string; text?: string; visitor?: string }
  token: string | undefined
}

/** Calls to the server, and what it does with them. */
let calls: Call[]
let stored: { id: string; text: string; visitor: string }[]
let valid: Set<string>
let fails: 'before' | 'after' | undefined
let storage: Map<string, string>
/** What happens while a call is on its way. */
let during: (name: string) => void

beforeEach(async () => {
  vi.resetModules()
  calls = []
  stored = []
  valid = new Set(['mine'])
  fails = undefined
  during = () => {}
  storage = new Map([['tidenet.chat', 'mine']])
  const area = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  }
  vi.stubGlobal('localStorage', area)
  vi.stubGlobal('sessionStorage', area)
  vi.stubGlobal('location', { pathname: '/about' })
  await loadTexts()
})

afterAll(() => {
  vi.unstubAllGlobals()
})

vi.mock('../../lib/api.ts', async (original) => {
  const actual = await original<typeof import('../../lib/api.ts')>()
  const refused = (key: 'chatVisitor' | 'textTooLong') => new actual.ApiError('refused', key, errors[key].err)
  return {
    ...actual,
    api: async (name: string, input: Call['input'], { token }: { token?: string } = {}) => {
      calls.push({ name, input, token })
      during(name)
      if (name === 'chat.start') {
        valid.add('fresh')
        return { visitor: 'fresh' }
      }
      if (!valid.has(input.visitor ?? '')) throw refused('chatVisitor')
      if (name === 'chat.state') return { online: false, conversation: null, adoptable: 0 }
      const { id = '', text = '', visitor = '' } = input
      if (text === 'refused') throw refused('textTooLong')
      if (fails === 'before') throw new actual.ApiError('network', 'no connection')
      if (!stored.some((each) => each.id === id)) stored.push({ id, text, visitor })
      if (fails === 'after') throw new actual.ApiError('network', 'no connection')
      const seq = stored.findIndex((each) => each.id === id) + 1
      const message = { id, seq, from_type: 'user', kind: 'text', text, created_at: '' }
      return { message, conversation: 'c1', online: false, email: '' }
    },
  }
})

/** The chat of a visitor with a conversation. */
async function chat() {
  const [outbox, store] = [await import('./outbox.ts'), await import('./store.ts')]
  store.useChat.setState({ visitor: 'mine' })
  return { ...outbox, state: store.chatState, useChat: store.useChat, readOutbox: store.readOutbox }
}

const texts = () => stored.map(({ text }) => text)

describe('messages', () => {
  it('arrive in the order in which they were written', async () => {
    const { sendMessage, sendAll, state } = await chat()
    for (const text of ['one', 'two', 'three']) sendMessage(text)
    await sendAll()
    expect(texts()).toEqual(['one', 'two', 'three'])
    expect(state().outbox).toEqual([])
    expect(state().messages.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  })

  it.each(['before', 'after'] as const)(
    'arrive once when the connection fails %s the server stored them',
    async (when) => {
      const { sendMessage, sendAll, retryTemporary, state } = await chat()
      fails = when
      sendMessage('hello')
      await sendAll()
      expect(state().outbox).toMatchObject([{ state: 'failed', isTemporary: true }])
      fails = undefined
      retryTemporary()
      await sendAll()
      expect(texts()).toEqual(['hello'])
      expect(state().outbox).toEqual([])
    },
  )

  it('that were not confirmed survive a reload, with the same id', async () => {
    const { sendMessage, sendAll, state, readOutbox } = await chat()
    fails = 'after'
    sendMessage('hello')
    await sendAll()
    expect(readOutbox('')).toMatchObject([{ id: state().outbox[0]?.id, text: 'hello', state: 'sending' }])
  })

  it('are never sent as somebody who signs in meanwhile; they wait for whoever wrote them', async () => {
    const { sendMessage, sendAll, useChat, readOutbox } = await chat()
    const { nobody } = await import('./store.ts')
    const { useSession } = await import('../../lib/session-store.ts')
    // The first message of a visitor needs a token; meanwhile an account signs in.
    storage.delete('tidenet.chat')
    useChat.setState({ visitor: '' })
    during = (name) => {
      if (name !== 'chat.start') return
      useSession.setState({ address: 'u9', token: 'session of u9' })
      useChat.setState({ ...nobody, account: 'u9', outbox: readOutbox('u9') })
    }
    sendMessage('written as a visitor')
    await sendAll()
    expect(calls.filter(({ name }) => name === 'chat.send')).toEqual([])
    expect([readOutbox('u9'), readOutbox('').map(({ text }) => text)]).toEqual([[], ['written as a visitor']])
  })

  it('are sent without a session when they are a visitor’s, also if one begins before the request is made', async () => {
    const { sendMessage, sendAll } = await chat()
    sendMessage('hello')
    await sendAll()
    expect(calls.find(({ name }) => name === 'chat.send')?.token).toBe('')
  })

  it('of an earlier conversation are forgotten when the answer belongs to a new one', async () => {
    const { sendMessage, sendAll, state, useChat } = await chat()
    const old = { id: 'old', seq: 1, text: 'old' } as never
    useChat.setState({ messages: [old], messagesOf: 'c0' })
    sendMessage('hello')
    await sendAll()
    expect(state().messages.map(({ text }) => text)).toEqual(['hello'])
    expect(state().conversation).toMatchObject({ id: 'c1', last_seq: 1 })
  })

  it('begin a new conversation when the old one is gone', async () => {
    const { sendMessage, sendAll, state } = await chat()
    valid.delete('mine')
    sendMessage('hello')
    await sendAll()
    expect(stored).toMatchObject([{ text: 'hello', visitor: 'fresh' }])
    expect([state().visitor, storage.get('tidenet.chat')]).toEqual(['fresh', 'fresh'])
  })
})

describe('a refused message', () => {
  it('stays, says why, and can be deleted; the conversation continues', async () => {
    const { sendMessage, sendAll, discardMessage, state } = await chat()
    sendMessage('refused')
    sendMessage('fine')
    await sendAll()
    expect(texts()).toEqual(['fine'])
    expect(state().outbox).toMatchObject([{ text: 'refused', state: 'failed', isTemporary: false }])
    expect([state().visitor, storage.get('tidenet.chat')]).toEqual(['mine', 'mine'])
    discardMessage(state().outbox[0]?.id ?? '')
    expect(state().outbox).toEqual([])
  })
})
