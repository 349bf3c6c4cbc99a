import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../network/wire-client.ts'
import {
  DEVICE_A,
  downloadInBrowser,
  type HomeNetwork,
  relayed,
  servePortal,
  startBrowser,
  startHomeNetwork,
  untilConnected,
  upload,
} from './home-network.ts'

const SIZE = 6_000_000

let network: HomeNetwork
let portal: Awaited<ReturnType<typeof servePortal>>
let browser: Browser
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nat-chromium-'))
  network = await startHomeNetwork([DEVICE_A])
  portal = await servePortal(network)
  browser = await startBrowser(network, folder)
  await untilConnected(network, 1)
})
afterAll(async () => {
  await browser?.close()
  await portal?.close()
  await network?.stop()
  if (folder) await rm(folder, { recursive: true })
})

describe('a browser on the https page of the portal', () => {
  it('downloads a verified file from a device behind a router', async () => {
    const owner = await signUp(network.url)
    const bytes = randomBytes(SIZE)
    const source = join(folder, 'tides.bin')
    await writeFile(source, bytes)
    const cid = await upload(network, owner.token, source)
    const before = await relayed(network)
    expect((await downloadInBrowser(browser, owner, cid)).equals(bytes)).toBe(true)
    expect(await relayed(network)).toBeGreaterThan(before + SIZE)
  })
})
