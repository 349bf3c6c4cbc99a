import { createClock } from '@tidenet/daemon'
import { expect, it } from 'vitest'
import { createChallenges } from './challenges.ts'
import { type CertificateStore, createMemoryStore } from './store.ts'

const clock = createClock()
const TOKEN = 'a-token-of-the-ca-in-base64url'
const PATH = `/.well-known/acme-challenge/${TOKEN}`
const NAME = '_acme-challenge.example.org'

/** Two servers with one store. */
function startServers() {
  const memory = createMemoryStore()
  const counts = { reads: 0, isDown: false }
  const store: CertificateStore = {
    ...memory,
    read: async (key) => {
      counts.reads++
      if (counts.isDown) throw new Error('down')
      return memory.read(key)
    },
  }
  return { counts, one: createChallenges(store, clock), other: createChallenges(store, clock) }
}

it('gives answers at every server, until they are removed', async () => {
  const { one, other } = startServers()
  const [first, second] = ['one', 'two'].map((text) => ({ type: 'dns-01' as const, domain: 'example.org', text }))
  if (!first || !second) throw new Error('two are needed')
  const http = { type: 'http-01' as const, token: TOKEN, body: `${TOKEN}.print` }
  expect(await other.texts(NAME)).toEqual([])
  for (const answer of [first, second, http]) await one.put(answer)
  expect(await one.texts(NAME.toUpperCase())).toEqual(['one', 'two'])
  expect(await other.httpAnswer(PATH)).toBe(http.body)
  // It may have asked a moment before.
  await expect.poll(() => other.texts(NAME), { timeout: other.delayMs * 4 }).toEqual(['one', 'two'])
  await one.remove(first)
  expect(await one.texts(NAME)).toEqual(['two'])
  for (const answer of [second, http]) await one.remove(answer)
  expect(await one.httpAnswer(PATH)).toBeUndefined()
})

it('forgets answers of orders that nobody finished', async () => {
  const { one } = startServers()
  await one.put({ type: 'dns-01', domain: 'example.org', text: 'one' })
  clock.move(8 * 86_400_000)
  expect(await one.texts(NAME)).toEqual([])
  clock.move(0)
})

it('reads the store some times a second, however many names strangers invent', async () => {
  const { one, counts } = startServers()
  await Promise.all(Array.from({ length: 500 }, (_, index) => one.texts(`_acme-challenge.n${index}.example.org`)))
  expect(counts.reads).toBe(1)
})

it('fails while the store does, and not afterwards', async () => {
  const { one, counts } = startServers()
  counts.isDown = true
  await expect(one.texts(NAME)).rejects.toThrow()
  counts.isDown = false
  await expect.poll(() => one.texts(NAME).catch(() => 'failed')).toEqual([])
})

it('does not look for what cannot be an answer', async () => {
  const { one, counts } = startServers()
  for (const path of [
    '/',
    `${PATH}/x`,
    '/.well-known/acme-challenge/',
    '/.well-known/acme-challenge/../../a',
    `${PATH}%00`,
  ])
    expect(await one.httpAnswer(path)).toBeUndefined()
  for (const name of ['_acme-challenge', 'example.org', '_acme-challenge.localhost', '_acme-challenge.a b.org'])
    expect(await one.texts(name)).toEqual([])
  expect(counts.reads).toBe(0)
})
