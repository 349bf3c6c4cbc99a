import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp, until } from '../network/wire-client.ts'
import {
  DEVICE_C,
  type HomeNetwork,
  relayed,
  runClient,
  startHomeNetwork,
  untilConnected,
  upload,
} from './home-network.ts'
import { countersOf, HOMES, startForwarding } from './lab.ts'

const SIZE = 6_000_000

let network: HomeNetwork
let folder: string
let endForwarding: () => void

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nat-direct-'))
  endForwarding = startForwarding(HOMES.c)
  network = await startHomeNetwork([DEVICE_C])
  await untilConnected(network, 1)
})
afterAll(async () => {
  endForwarding?.()
  await network?.stop()
  if (folder) await rm(folder, { recursive: true })
})

describe('a device whose router forwards a port', () => {
  it('is reached there, without relays, and through relays as soon as the router stops', async () => {
    const { token } = await signUp(network.url)
    const bytes = randomBytes(SIZE)
    const source = join(folder, 'source')
    await writeFile(source, bytes)
    const cid = await upload(network, token, source)
    const target = join(folder, 'target')
    /** @returns bytes that passed relays meanwhile */
    const download = async () => {
      const before = await relayed(network)
      expect(await runClient(network, token, 'download', target, cid)).toMatchObject({
        code: 0,
        data: { verified: true },
      })
      expect((await readFile(target)).equals(bytes)).toBe(true)
      return (await relayed(network)) - before
    }
    await until(async () => (await download()) < SIZE / 100, 60_000)
    // Nobody got in but by the port that the device asked for.
    expect(countersOf(HOMES.c)).toEqual({ uninvited: 0, at_home: 0, elsewhere: 0 })
    endForwarding()
    expect(await download()).toBeGreaterThan(SIZE)
  })
})
