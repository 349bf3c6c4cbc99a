import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundled, startNetwork } from './test-network.ts'
import { signUp } from './wire-client.ts'

// What an owner does with a device in the end, with the command of the node itself.

let network: Network
beforeAll(async () => {
  network = await startNetwork({ nodes: 1 })
})
afterAll(() => network?.stop())

it('a node that leaves takes nothing with it: its files are there after it was switched off', async () => {
  const person = await signUp(network.url)
  const [only] = network.nodes
  const bytes = new Uint8Array(randomBytes(2_000_000))
  const { cid } = await person.upload(bytes, 'heirloom.bin')
  await network.addNode({ name: 'heir', kind: 'candidate' })
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [bundled('node'), 'leave', '--data', only?.dataDir ?? ''],
    { env: { PATH: process.env.PATH, TIDENET_LANG: 'en' } },
  )
  expect(stdout).toContain('has left')
  only?.process.kill('SIGKILL')
  expect(Buffer.from(await person.download(cid)).equals(bytes)).toBe(true)
})
