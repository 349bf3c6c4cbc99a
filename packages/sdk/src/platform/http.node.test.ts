import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesSource } from '../bytes.ts'
import { send } from './http.node.ts'

let respond: RequestListener = () => {}
const node = createServer((request, response) => respond(request, response))
beforeAll(() => new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  node.close()
  node.closeAllConnections()
})
const sendAll = (bytes: number, timeouts: { idleTimeout: number; responseTimeout: number }) =>
  send({
    method: 'POST',
    url: `http://127.0.0.1:${(node.address() as AddressInfo).port}/`,
    headers: {},
    body: { source: bytesSource(new Uint8Array(bytes)), start: 0, end: bytes },
    signal: new AbortController().signal,
    ...timeouts,
  })

describe('a response', () => {
  it.each([1, 3_000_000])('may take as long as it may, after everything was sent: %i bytes', async (bytes) => {
    respond = async (request, response) => {
      for await (const _ of request);
      await setTimeout(200)
      response.end('late')
    }
    expect(await sendAll(bytes, { idleTimeout: 50, responseTimeout: 10_000 })).toMatchObject({ text: 'late' })
  })

  it('that does not come is waited for no longer', async () => {
    respond = () => {}
    const sent = sendAll(1, { idleTimeout: 10_000, responseTimeout: 50 })
    await expect(sent).rejects.toMatchObject({ reason: 'stalled' })
  })
})
