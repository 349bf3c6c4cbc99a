import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ImportFailed } from './import-failed.ts'
import { fetchSource } from './source-fetch.ts'

/** Two servers on loopback: the first one redirects to the second. */
const servers: Server[] = []
const seen: IncomingHttpHeaders[] = []
let first: URL
let second: URL
const listen = async (answer: (url: string) => string | undefined) => {
  const server = createServer((request, response) => {
    const location = answer(request.url ?? '')
    if (location === undefined) seen.push(request.headers)
    response.writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location }).end()
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}
beforeAll(async () => {
  second = await listen(() => undefined)
  first = await listen((url) => (url === '/away' ? second.href : url === '/here' ? '/end' : undefined))
})
afterAll(() => {
  for (const server of servers) server.close()
})

const get = (url: URL, { privateToo = false, isNamed = false, headers = {} } = {}) =>
  fetchSource(
    url,
    { privateToo, silenceMs: 5000, signal: new AbortController().signal },
    { most: 1000, headers, isNamed },
  ).then(
    ({ status, body }) => {
      body.destroy()
      return status
    },
    (error: unknown) => (error instanceof ImportFailed ? error.reason : error),
  )

it('reaches private addresses only if these are allowed, whatever name leads there', async () => {
  expect(await get(first, { privateToo: true })).toBe(200)
  for (const url of [first, new URL(`http://localhost:${first.port}/`), new URL(`http://[::1]:${first.port}/`)])
    expect(await get(url)).toBe('private')
})

it('lets an address that the operator named be private, but not what it redirects to', async () => {
  expect(await get(first, { isNamed: true })).toBe(200)
  expect(await get(new URL('/here', first), { isNamed: true })).toBe(200)
  expect(await get(new URL('/away', first), { isNamed: true })).toBe('redirects')
})

it('sends no header of one origin to another one', async () => {
  seen.length = 0
  await get(new URL('/away', first), { privateToo: true, headers: { authorization: 'a signature' } })
  await get(new URL('/here', first), { privateToo: true, headers: { authorization: 'a signature' } })
  expect(seen.map(({ authorization }) => authorization)).toEqual([undefined, 'a signature'])
})
