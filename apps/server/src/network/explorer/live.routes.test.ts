import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { rawCid } from '@tidenet/content/cid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { LISTENERS_PER_IP } from './live.ts'

let env: TestEnv
let url: string
const open: AbortController[] = []
beforeEach(async () => {
  env = await setup()
  await env.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(env.app.server.address() as AddressInfo).port}/api/v1/network/events`
})
afterEach(async () => {
  for (const each of open.splice(0)) each.abort()
  await env.close()
})

interface Told {
  event: string
  id?: string
  data: { id?: number; kind?: string; online?: number; transfers?: { id: number }[] }
}

/** Connects a listener; `next` returns the next event and skips comments. */
async function listen(at = url, headers: Record<string, string> = {}) {
  const hangUp = new AbortController()
  open.push(hangUp)
  const answer = await fetch(at, { headers, signal: hangUp.signal })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    answer,
    hangUp: () => hangUp.abort(),
    async next(): Promise<Told | undefined> {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const lines = text.slice(0, end).split('\n')
          text = text.slice(end + 2)
          const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)))
          if (fields.event) return { ...fields, data: JSON.parse(fields.data) } as Told
          continue
        }
        const { value, done } = (await reader?.read()) ?? { done: true }
        if (done) return undefined
        text += value
      }
    },
  }
}

async function upload() {
  const node = await env.node()
  const { uid } = await env.person()
  const cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
  await env.call('nodeControl.receipts', { receipts: [await node.receipt({ sub: uid, cid, size: 1000 })] }, node)
  return node
}

describe('a listener', () => {
  it('gets the last transfers and the node count first, then every event', async () => {
    await upload()
    const ear = await listen()
    expect(ear.answer.headers.get('content-type')).toContain('text/event-stream')
    const first = await ear.next()
    expect(first).toMatchObject({ event: 'snapshot', data: { online: 1, transfers: [{ kind: 'upload', size: 1000 }] } })
    const node = await upload()
    const more = [await ear.next(), await ear.next()]
    const transfer = more.find((told) => told?.event === 'transfer')
    expect(transfer?.data).toMatchObject({ kind: 'upload', from: null, to: { area: 'Germany' } })
    expect(Number(transfer?.id)).toBe(transfer?.data.id)
    expect(more.find((told) => told?.event === 'nodes')?.data).toEqual({ online: 2 })
    await env.db.run(sql`update nodes set status = 'offline' where id = ${node.id}`)
    expect(await ear.next()).toMatchObject({ event: 'nodes', data: { online: 1 } })
  })

  it('gets every transfer once, also one whose transaction commits after a later one', async () => {
    const ear = await listen()
    await ear.next()
    const insert = sql`insert into transfers (kind, size, at) values ('upload', 1, ${new Date()})`
    await env.db.transaction(async (slow) => {
      await slow.run(insert)
      await env.db.run(insert)
      expect(await ear.next()).toMatchObject({ event: 'transfer', id: '2' })
    })
    expect(await ear.next()).toMatchObject({ event: 'transfer', id: '1' })
    await env.db.run(insert)
    expect(await ear.next()).toMatchObject({ event: 'transfer', id: '3' })
  })

  it('gets the same events from every server', async () => {
    const other = await createApp(env.context)
    await other.listen({ host: '127.0.0.1', port: 0 })
    const ear = await listen(url.replace(/:\d+/, `:${(other.server.address() as AddressInfo).port}`))
    expect(await ear.next()).toMatchObject({ event: 'snapshot', data: { transfers: [] } })
    await upload()
    expect([(await ear.next())?.event, (await ear.next())?.event].sort()).toEqual(['nodes', 'transfer'])
    await other.close()
  })

  it('can reconnect', async () => {
    await upload()
    const ear = await listen(url, { 'last-event-id': '1' })
    expect(await ear.next()).toMatchObject({ event: 'snapshot', data: { transfers: [{ id: 1 }] } })
    expect((await (await listen(url, { 'last-event-id': 'nonsense' })).next())?.event).toBe('snapshot')
  })

  it('is disconnected when the server stops', async () => {
    const ears = [await listen(), await listen()]
    for (const ear of ears) await ear.next()
    const closing = env.app.close()
    for (const ear of ears) expect(await ear.next()).toBeUndefined()
    await closing
  })
})

describe('refused are', () => {
  it('too many listeners from one address, until one leaves', async () => {
    const ears = []
    for (let count = 0; count < LISTENERS_PER_IP; count++) ears.push(await listen())
    for (const ear of ears) await ear.next()
    const refused = await fetch(url)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).not.toBeNull()
    expect(await refused.json()).toMatchObject({ code: -1, err: 1020 })
    ears[0]?.hangUp()
    await expect.poll(async () => (await listen()).answer.status, { timeout: 5000 }).toBe(200)
  })
})
