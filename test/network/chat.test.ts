import { randomBytes, randomUUID } from 'node:crypto'
import { createStorage, isSuccess } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp, until } from './wire-client.ts'

let network: Network
beforeAll(async () => {
  network = await startNetwork({ servers: 2, nodes: 2 })
})
afterAll(() => network?.stop())

interface Message {
  seq: number
  id: string
}

async function post<T>(url: string, path: string, body: object): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5000),
  })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
  if (code !== 0) throw new Error(msg)
  return data
}

/** Repeats a call at the other server until one answers, as clients do. */
async function untilDone<T>(call: (url: string) => Promise<T>, first = 1): Promise<T> {
  for (let attempt = first; ; attempt++) {
    try {
      return await call(network.urls[attempt % 2] as string)
    } catch (error) {
      if (attempt > first + 40) throw error
    }
  }
}

/** Holds a stream open, at the second server first, and resumes at the other one whenever it breaks. */
function follow(visitor: string, stop: AbortSignal): number[] {
  const received: number[] = []
  let lastId = ''
  const run = async (url: string) => {
    const answer = await fetch(`${url}/api/v1/chat/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(lastId && { 'last-event-id': lastId }) },
      body: JSON.stringify({ visitor }),
      signal: stop,
    })
    let text = ''
    for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part
      const events = text.split('\n\n')
      text = events.pop() as string
      for (const event of events) {
        const id = /^id: (.*)$/m.exec(event)?.[1]
        if (!event.startsWith('event: message') || !id) continue
        lastId = id
        received.push(Number(id.split(':')[1]))
      }
    }
  }
  void (async () => {
    for (let attempt = 1; !stop.aborted; attempt++) await run(network.urls[attempt % 2] as string).catch(() => {})
  })()
  return received
}

describe('an attachment', () => {
  it('travels encrypted through the network, from a visitor to an agent and back', { tags: ['long'] }, async () => {
    const bytes = new Uint8Array(randomBytes(200_000))
    const anonymous = await createStorage({ url: network.url })
    const password = randomUUID()
    const uploaded = await anonymous.uploadAsset(new File([bytes], 'screen.png'), { encrypt: { passphrase: password } })
    if (!isSuccess(uploaded)) throw new Error(uploaded.msg)
    const { cid, traceId } = uploaded.data
    const { visitor } = await post<{ visitor: string }>(network.url, '/api/v1/chat/start', {})
    const { message } = await post<{ message: { attachment: { id: string; password: string } } }>(
      network.url,
      '/api/v1/chat/send',
      { visitor, id: randomUUID(), text: '', attachment: { cid, name: 'screen.png', password, trace_id: traceId } },
    )
    const { id: attachment } = message.attachment

    const agent = await signUp(network.url)
    const database = new pg.Client({ connectionString: network.databaseUrl })
    await database.connect()
    await database.query(`update users set role = 'operator' where email = $1`, [agent.username])
    await database.query(`update temp_files set expires_at = now() where cid = $1`, [cid])
    await database.end()
    const desk = await createStorage({ url: network.url, token: agent.token })
    const talk = await until(async () => {
      const listed = await desk.api.call('chatDesk.list', { list: 'all' })
      return isSuccess(listed) ? listed.data.list[0] : undefined
    })
    expect(talk.last_text).toBe('screen.png')

    const readers = [
      { storage: anonymous, chat: { attachment, visitor } },
      { storage: desk, chat: { attachment, conversation: talk.id } },
    ]
    for (const { storage, chat } of readers) {
      const read = await storage.downloadAsset({
        assetCid: cid,
        source: 'chat',
        chat,
        decrypt: { passphrase: message.attachment.password },
        to: 'blob',
      })
      if (!isSuccess(read)) throw new Error(`${read.code} ${read.msg}`)
      expect(new Uint8Array(await (read.data.blob as Blob).arrayBuffer())).toEqual(bytes)
    }
    const other = await post<{ visitor: string }>(network.url, '/api/v1/chat/start', {})
    for (const chat of [{ attachment, visitor: other.visitor }, { attachment }])
      expect(isSuccess(await anonymous.downloadAsset({ assetCid: cid, source: 'chat', chat, to: 'blob' }))).toBe(false)
  })
})

describe('a support chat on two servers', () => {
  it('loses and doubles nothing when one server is killed in the middle', async () => {
    const stop = new AbortController()
    const customers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { visitor } = await post<{ visitor: string }>(network.url, '/api/v1/chat/start', {})
        const ids: string[] = []
        return { visitor, ids, received: follow(visitor, stop.signal) }
      }),
    )
    const write = async ({ visitor, ids }: (typeof customers)[number], round: number) => {
      const id = randomUUID()
      ids.push(id)
      const body = { visitor, id, text: `Message ${round}` }
      await untilDone((url) => post(url, '/api/v1/chat/send', body), round)
    }
    for (let round = 0; round < 20; round++) {
      const written = Promise.all(customers.map((customer) => write(customer, round)))
      if (round === 8) network.servers[1]?.process.kill('SIGKILL')
      await written
    }
    for (const { visitor, ids, received } of customers) {
      const { list } = await untilDone((url) =>
        post<{ list: Message[] }>(url, '/api/v1/chat/messages', { visitor, after: 0, size: 200 }),
      )
      expect(list.map(({ id }) => id)).toEqual(ids)
      await expect.poll(() => received.length, { timeout: 20_000 }).toBe(20)
      expect(received).toEqual(list.map(({ seq }) => seq))
    }
    stop.abort()
  })
})
