import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../network/wire-client.ts'
import {
  caFile,
  downloadInBrowser,
  type HomeNetwork,
  portalCaFile,
  relayed,
  servePortal,
  startBrowser,
  startHomeNetwork,
  upload,
} from './home-network.ts'
import { countersOf, HOMES, PORTAL, within } from './lab.ts'

// A machine with nothing but the downloaded file joins a network behind a router and serves a Chromium on https in under two minutes,
// without a setting.

const LIMIT_MS = 120_000
const SIZE = 6_000_000

let network: HomeNetwork
let portal: Awaited<ReturnType<typeof servePortal>>
let browser: Browser
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nat-one-file-'))
  // Its only nodes are relays without room for contents. Tests usually run at another pace than people's networks.
  network = await startHomeNetwork([], { TIDENET_PACE: 'usual' })
  portal = await servePortal(network)
  browser = await startBrowser(network, folder)
})
afterAll(async () => {
  await browser?.close()
  await portal?.close()
  await network?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** What the download page of the portal tells its visitor to enter in a terminal. */
async function shownCommands(): Promise<string> {
  const page = await browser.newPage()
  await page.goto(`https://${PORTAL}/download`)
  const shown = await page.locator('#single code', { hasText: 'tidenet-node-' }).textContent()
  await page.close()
  return shown ?? ''
}

/**
 * A machine behind a router: a shell, `curl`, `chmod`, no Node.js, and an empty home folder.
 * @returns runs what its owner enters, until `stop`
 */
async function homeMachine() {
  const [tools, home, machine] = ['tools', 'home', 'machine'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [tools, home, machine]) await mkdir(each)
  for (const tool of ['curl', 'chmod']) await symlink(`/usr/bin/${tool}`, join(tools, tool))
  const output = join(folder, 'output.txt')
  const trusted = join(folder, 'trusted.pem')
  const roots = await Promise.all([caFile(network), portalCaFile(network)].map((file) => readFile(file, 'utf8')))
  await writeFile(trusted, roots.join('\n'))
  let shell: ChildProcess | undefined
  return {
    home,
    output: () => readFile(output, 'utf8'),
    enter(commands: string) {
      const [command = '', ...args] = within(HOMES.a.device)
      // The CAs of the tests take the place of the public ones.
      const ca = ['CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'].map((name) => `${name}=${trusted}`)
      const clean = ['/usr/bin/env', '-i', `PATH=${tools}`, `HOME=${home}`, ...ca]
      shell = spawn(command, [...args, ...clean, '/bin/sh', '-ec', commands], {
        cwd: machine,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const file = createWriteStream(output)
      shell.stdout?.pipe(file, { end: false })
      shell.stderr?.pipe(file, { end: false })
    },
    async stop() {
      if (!shell?.pid || shell.exitCode !== null) return
      const ended = once(shell, 'exit')
      process.kill(-shell.pid, 'SIGTERM')
      await ended
    },
  }
}

describe('a machine behind a router, with nothing but the downloaded file', () => {
  it('joins the network and serves a browser by https in under two minutes, without a setting', async () => {
    const owner = await signUp(network.url)
    const bytes = randomBytes(SIZE)
    const source = join(folder, 'tides.bin')
    await writeFile(source, bytes)
    const commands = await shownCommands()
    const machine = await homeMachine()

    const start = performance.now()
    machine.enter(commands)
    try {
      const cid = await upload(network, owner.token, source)
      const before = await relayed(network)
      const received = await downloadInBrowser(browser, owner, cid)
      const ms = performance.now() - start

      expect(received.equals(bytes)).toBe(true)
      expect(await relayed(network)).toBeGreaterThan(before + SIZE)
      expect(ms).toBeLessThan(LIMIT_MS)
      console.info(`from the first command to the last byte: ${(ms / 1000).toFixed(1)} s`)
      // Nothing came in past the router, and the program looked at nothing at home.
      expect(countersOf(HOMES.a)).toEqual({ uninvited: 0, at_home: 0, elsewhere: 0 })
      expect(await readdir(machine.home)).toEqual([])
    } catch (error) {
      throw new Error(`${commands}\n\n${await machine.output()}`, { cause: error })
    } finally {
      await machine.stop()
    }
  })
})
