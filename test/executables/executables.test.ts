import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from '../network/test-network.ts'
import { signUp, until } from '../network/wire-client.ts'

// The single executables of every platform, on a machine that has nothing else: built twice, then run as far as this machine can.

const MAIN = fileURLToPath(new URL('../../tools/executables/main.mjs', import.meta.url))
const run = promisify(execFile)
const TIME = '2026-11-01T00:00:00Z'

interface Manifest {
  version: string
  time: number
  files: { file: string; program: string; platform: string; trial: string; size: number; sha256: string }[]
}

let work: string
let release: string
let publicKey: string
let network: Network

const tool = (...args: string[]) => run(process.execPath, [MAIN, ...args])
const build = (out: string) => tool('--key', join(work, 'release.key'), '--time', TIME, '--out', out)
const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'executables-'))
  release = join(work, 'release')
  const { stdout } = await tool('key', join(work, 'release.key'))
  publicKey = stdout.trim().replace('Public key: ', '')
  await build(release)
  network = await startNetwork({ nodes: 0 })
}, 900_000)
afterAll(async () => {
  await network?.stop()
  await rm(work, { recursive: true, force: true, maxRetries: 20 })
})

describe('a release', () => {
  it('has the same bytes when it is built again', { timeout: 900_000 }, async () => {
    const again = join(work, 'again')
    await build(again)
    const names = [...(await manifestOf(release)).files.map(({ file }) => file), 'manifest.json', 'manifest.sig']
    for (const name of [...names, 'SHA256SUMS', 'SHA256SUMS.sig', 'THIRD-PARTY-NOTICES.txt'])
      expect((await readFile(join(again, name))).equals(await readFile(join(release, name))), name).toBe(true)
    await rm(again, { recursive: true })
  })

  it('can be checked with shasum and openssl, as the documents say', async () => {
    await run('shasum', ['-a', '256', '-c', 'SHA256SUMS'], { cwd: release })
    const args = '-verify -pubin -inkey release-key.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig'
    expect((await run('openssl', ['pkeyutl', ...args.split(' ')], { cwd: release })).stdout).toContain('Successfully')
    expect((await tool('verify', release, publicKey)).stdout).toContain('as signed')
  })

  it('has a file for every platform, in the format of its system', async () => {
    const magic: Record<string, string> = { linux: '7f454c46', windows: '4d5a', macos: 'cffaedfe' }
    const { files } = await manifestOf(release)
    expect(new Set(files.map(({ platform }) => platform))).toEqual(
      new Set(['linux-x64', 'linux-arm64', 'windows-x64', 'macos-x64']),
    )
    for (const { file, platform, size } of files) {
      const bytes = await readFile(join(release, file))
      expect(bytes.length).toBe(size)
      expect(bytes.toString('hex', 0, 4).startsWith(magic[platform.split('-')[0] ?? ''] ?? '?'), file).toBe(true)
      expect(bytes.includes('tidenet-node-'), file).toBe(true)
    }
  })

  it('says that the macOS files were only read, and runs the others in tests', async () => {
    for (const { platform, trial } of (await manifestOf(release)).files)
      expect(trial === 'file', platform).toBe(platform.startsWith('macos'))
  })
})

/** How this machine runs a program of a platform. */
const PLATFORMS = [
  { platform: 'linux-x64', before: [] },
  { platform: 'linux-arm64', before: ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu'] },
  { platform: 'windows-x64', before: ['/usr/lib/wine/wine64'] },
]

describe.each(PLATFORMS)('on $platform', ({ platform, before }) => {
  const file = (program: string) =>
    join(release, `${program}-${platform}${platform.startsWith('windows') ? '.exe' : ''}`)
  /** No Node.js, no PATH: only what the emulators need. */
  const env = () => ({
    HOME: work,
    TIDENET_LANG: 'en',
    ...(before[0]?.includes('wine') && {
      WINEPREFIX: join(work, 'wine'),
      WINEDEBUG: '-all',
      NODE_SKIP_PLATFORM_CHECK: '1',
    }),
  })
  const command = (path: string, ...args: string[]) => {
    const [program = '', ...rest] = [...before, path, ...args]
    return [program, rest] as const
  }
  /** Output goes to a file, because programs in Wine cannot write to the sockets that Node.js uses as pipes. */
  const start = async (cwd: string, more: Record<string, string>, path: string, ...args: string[]) => {
    const [program, rest] = command(path, ...args)
    const output = await open(join(cwd, 'output.txt'), 'w')
    try {
      return spawn(program, rest, { cwd, env: { ...env(), ...more }, stdio: ['ignore', output.fd, output.fd] })
    } finally {
      await output.close()
    }
  }

  it('prints the version of the release', async () => {
    const { version } = await manifestOf(release)
    for (const program of ['tidenet', 'tidenet-node']) {
      const child = await start(work, {}, file(program), '--version')
      expect(await once(child, 'exit')).toEqual([0, null])
      expect((await readFile(join(work, 'output.txt'), 'utf8')).trim().split(/\s+/).pop()).toBe(version)
    }
  })

  it.runIf(platform.startsWith('windows'))('starts, listens and has an identity', async () => {
    const folder = join(work, `node-${platform}`)
    await mkdir(folder)
    const args = ['--server', network.url, '--data', join(folder, 'contents'), '--area', 'Asia-Japan-Tokyo-Tokyo']
    const child = await start(folder, {}, file('tidenet-node'), ...args)
    const ended = once(child, 'exit')
    try {
      const { url, id } = await until(async () => {
        const line = (await readFile(join(folder, 'output.txt'), 'utf8'))
          .split('\n')
          .find((one) => one.includes('"ready"'))
        return line ? (JSON.parse(line) as { url: string; id: string }) : undefined
      })
      expect(await (await fetch(`${url}/health`)).text()).toContain(id)
    } finally {
      child.kill('SIGKILL')
      await ended
    }
  })

  // Connections that fetch opens fail in Wine 8 (UNKNOWN), so there the program cannot reach a portal.
  it.skipIf(platform.startsWith('windows'))('joins a network and serves a verified download', async () => {
    const folder = join(work, `node-${platform}`)
    await mkdir(folder)
    const args = ['--server', network.url, '--data', join(folder, 'contents'), '--area', 'Asia-Japan-Tokyo-Tokyo']
    const more = { TIDENET_JOIN_TOKEN: network.joinToken, TIDENET_NODE_CAPACITY: '1GiB' }
    const child = await start(folder, more, file('tidenet-node'), ...args, '--kind', 'candidate', '--name', platform)
    const ended = once(child, 'exit')
    try {
      await until(async () => (await shown(platform))?.status === 'online', 60_000)
      const { token } = await signUp(network.url)
      const cli = (...words: string[]) =>
        run(join(release, 'tidenet-linux-x64'), words, {
          cwd: folder,
          env: { TIDENET_LANG: 'en', TIDENET_URL: network.url, TIDENET_TOKEN: token, HOME: folder },
        })
      // Large enough for hashing and verifying in threads.
      const bytes = randomBytes(20 << 20)
      await writeFile(join(folder, 'tide.bin'), bytes)
      // Until the server has reached the node.
      await until(() => cli('up', 'tide.bin'), 90_000)
      await cli('get', 'tide.bin', '-o', 'back.bin')
      expect((await readFile(join(folder, 'back.bin'))).equals(bytes)).toBe(true)
    } finally {
      child.kill('SIGTERM')
      await ended
    }
    await until(async () => (await shown(platform))?.status !== 'online', 120_000)
  })
})

it('starts a node with the command line alone', async () => {
  const args = ['node', 'start', '--area', 'Asia-Japan-Tokyo-Tokyo', '--place', '35.7,139.7', '--url', network.url]
  const child = spawn(
    join(release, 'tidenet-linux-x64'),
    [...args, '--name', 'started', '--data', join(work, 'started')],
    {
      cwd: work,
      env: { HOME: work },
      stdio: 'ignore',
    },
  )
  const ended = once(child, 'exit')
  try {
    await until(async () => (await shown('started'))?.status === 'online')
  } finally {
    child.kill('SIGTERM')
  }
  expect((await ended)[0]).toBe(0)
})

describe('refused:', () => {
  it('a release whose file, list or signature was changed', async () => {
    const foreign = join(work, 'foreign.key')
    const { stdout } = await tool('key', foreign)
    await expect(tool('verify', release, stdout.trim().replace('Public key: ', ''))).rejects.toThrow(/not signed/)
    const path = join(release, 'tidenet-macos-x64')
    const bytes = await readFile(path)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    await writeFile(path, bytes)
    await expect(tool('verify', release, publicKey)).rejects.toThrow(/tidenet-macos-x64/)
  })

  it('a key that others can read, that exists, or inside the repository', async () => {
    await chmod(join(work, 'foreign.key'), 0o644)
    await expect(tool('--key', join(work, 'foreign.key'), '--out', join(work, 'no'))).rejects.toThrow(/chmod 600/)
    expect(existsSync(join(work, 'no'))).toBe(false)
    await expect(tool('key', join(work, 'foreign.key'))).rejects.toThrow(/exists/)
    await expect(tool('key', fileURLToPath(new URL('release.key', import.meta.url)))).rejects.toThrow(/inside/)
  })
})

async function shown(name: string): Promise<{ status: string } | undefined> {
  const answer = await fetch(`${network.url}/api/v1/network/nodes?size=100`)
  const { data } = (await answer.json()) as { data: { list: { name: string; status: string }[] } }
  return data.list.find((node) => node.name === name)
}
