import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Offer, offerPrograms, type Release } from './program-downloads.ts'
import { signUp, until } from './wire-client.ts'

const run = promisify(execFile)

interface Shown {
  node_id: string
  name: string
  status: string
  type: number
  area: string
}

let network: Offer['network']
let folder: string
let answerOf: Offer['answerOf']
let releaseOf: Offer['releaseOf']
let stop: Offer['stop'] | undefined

beforeAll(async () => {
  ;({ network, folder, answerOf, releaseOf, stop } = await offerPrograms())
})
afterAll(() => stop?.())

/** Downloads a program and unpacks it in an empty folder outside the workspace. */
async function unpack(kind: Release['kind']): Promise<{ program: string; place: string }> {
  const { url, file, size, sha256 } = releaseOf(kind)
  const place = await mkdtemp(join(folder, `${kind}-`))
  const bytes = Buffer.from(await (await fetch(network.url + url)).arrayBuffer())
  expect(bytes.length).toBe(size)
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
  await writeFile(join(place, file), bytes)
  await run('tar', ['xzf', file], { cwd: place })
  const [bin = ''] = await readdir(join(place, 'package', 'bin'))
  return { program: join(place, 'package', 'bin', bin), place }
}

/** The environment of a machine with only Node.js. */
const bare = { PATH: process.env.PATH ?? '', TIDENET_LANG: 'en' }

describe('the command line that is downloaded', () => {
  it('runs from an empty folder: signs in, uploads, lists and downloads', async () => {
    const { program, place } = await unpack('cli')
    const env = { ...bare, TIDENET_CONFIG: join(place, 'config') }
    const tidenet = (...args: string[]) => run(process.execPath, [program, ...args], { cwd: place, env })
    expect((await tidenet('--version')).stdout.trim()).toBe(releaseOf('cli').version)
    const { token } = await signUp(network.url)
    await tidenet('login', '--url', network.url, '--key', token)
    // Large enough for hashing in worker threads.
    const bytes = randomBytes(20 << 20)
    await writeFile(join(place, 'tide.bin'), bytes)
    await tidenet('up', 'tide.bin')
    expect((await tidenet('ls')).stdout).toContain('tide.bin')
    await mkdir(join(place, 'back'))
    await tidenet('get', 'tide.bin', '-o', join(place, 'back', 'tide.bin'))
    expect((await readFile(join(place, 'back', 'tide.bin'))).equals(bytes)).toBe(true)
  })

  it('installs as a command with npm', async () => {
    const { place } = await unpack('cli')
    const prefix = join(place, 'installed')
    const { file, version } = releaseOf('cli')
    await run('npm', ['install', '--global', '--offline', '--no-audit', '--no-fund', '--prefix', prefix, `./${file}`], {
      cwd: place,
      env: { ...bare, HOME: place },
    })
    expect((await run(join(prefix, 'bin', 'tidenet'), ['--version'], { env: bare })).stdout.trim()).toBe(version)
  })
})

describe('a node that is downloaded', () => {
  const shown = async (name: string) =>
    (await answerOf<{ list: Shown[] }>('/api/v1/network/nodes?size=100')).list.find((node) => node.name === name)

  /** Runs a program until `work` is done, then stops it. @returns its exit code */
  async function during(args: string[], env: Record<string, string>, cwd: string, work: () => Promise<unknown>) {
    const child = spawn(process.execPath, args, { cwd, env: { ...bare, ...env }, stdio: 'ignore' })
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
    try {
      await work()
    } finally {
      child.kill('SIGTERM')
    }
    return ended
  }

  it('prints its version and options', async () => {
    const { program } = await unpack('node')
    expect((await run(process.execPath, [program, '--version'], { env: bare })).stdout.trim()).toBe(
      releaseOf('node').version,
    )
    expect((await run(process.execPath, [program, '--help'], { env: bare })).stdout).toContain('--join-token')
  })

  it('joins with the token and appears online in the explorer', async () => {
    const { program, place } = await unpack('node')
    const flags = [
      '--server',
      network.url,
      '--data',
      'contents',
      '--area',
      'Asia-Japan-Tokyo-Tokyo',
      '--place',
      '35.7,139.7',
    ]
    const args = [program, ...flags, '--kind', 'candidate', '--name', 'leased', '--capacity', '1GiB']
    const code = await during(args, { TIDENET_JOIN_TOKEN: network.joinToken }, place, async () => {
      await until(async () => (await shown('leased'))?.status === 'online')
      expect(await shown('leased')).toMatchObject({ type: 2, area: 'Japan' })
    })
    expect(code).toBe(0)
  })

  it('starts with `tidenet node`', async () => {
    const { program, place } = await unpack('cli')
    const args = [
      program,
      'node',
      'start',
      '--area',
      'Asia-Japan-Tokyo-Tokyo',
      '--place',
      '35.7,139.7',
      '--url',
      network.url,
    ]
    await during(args, { TIDENET_CONFIG: join(place, 'config'), TIDENET_NODE_NAME: 'started' }, place, () =>
      until(async () => (await shown('started'))?.status === 'online'),
    )
  })
})

describe('rejected:', () => {
  it('a candidate without the join token, and invalid options', async () => {
    const { program, place } = await unpack('node')
    await expect(run(process.execPath, [program, '--kind', 'candidat'], { cwd: place, env: bare })).rejects.toThrow()
    await expect(run(process.execPath, [program, '--sever', network.url], { cwd: place, env: bare })).rejects.toThrow()
  })

  it('downloads of other files', async () => {
    for (const path of ['/downloads/releases.json', '/downloads/..%2fmain.js', '/downloads/'])
      expect((await fetch(network.url + path)).status).toBe(404)
  })
})
