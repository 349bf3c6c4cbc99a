import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { get, post } from './http.browser.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

async function listen(respond: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(respond)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`
}

it('a node cannot lead its visitors to another address', async () => {
  const reached: string[] = []
  const home = await listen((request, response) => {
    reached.push(request.method ?? '')
    response.end()
  })
  const { signal } = new AbortController()
  for (const status of [301, 302, 303, 307, 308]) {
    const node = await listen((_, response) => response.writeHead(status, { location: home }).end())
    await expect(get({ url: node, signal })).rejects.toThrow()
    await expect(post(node, 'text', signal)).rejects.toThrow()
  }
  expect(reached).toEqual([])
})
