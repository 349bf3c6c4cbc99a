import { createStorage, type Storage } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp } from './wire-client.ts'

let network: Network
beforeAll(async () => {
  network = await startNetwork({ nodes: 1 })
})
afterAll(() => network?.stop())

const HOUR = 3600 * 1000
const code = async (storage: Storage) => (await storage.listKeys()).code

it('active use keeps a session beyond the lifetime of a token, for at most a week', async () => {
  const { token } = await signUp(network.url)
  const tokens = [token]
  const storage = createStorage({ url: network.url, token, onToken: (next) => tokens.push(next) })
  for (let hours = 0; hours < 144; hours += 18) {
    await network.moveClock(18 * HOUR)
    expect(await code(storage)).toBe(0)
  }
  // Tokens last a day: the first has expired, and each new one was accepted.
  expect(tokens.length).toBeGreaterThan(5)
  expect(storage.api.token).toBe(tokens.at(-1))
  expect(await code(createStorage({ url: network.url, token }))).toBe(401)
  await network.moveClock(25 * HOUR)
  expect(await code(storage)).toBe(401)
})

it('a session expires after a day without use', async () => {
  const { token } = await signUp(network.url)
  await network.moveClock(25 * HOUR)
  expect(await code(createStorage({ url: network.url, token }))).toBe(401)
})
