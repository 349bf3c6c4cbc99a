import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createNetwork, type Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp, until, wireClient } from './wire-client.ts'

const PROGRAM = fileURLToPath(new URL('../../apps/cli/bin/tidenet.js', import.meta.url))

let network: Network
let folder: string

beforeAll(async () => {
  network = await createNetwork({ nodes: 4 })
  folder = await mkdtemp(join(tmpdir(), 'cli-network-'))
})
afterAll(async () => {
  await network?.stop()
  if (folder) await rm(folder, { recursive: true })
})

interface Ended {
  code: number | null
  out: string
  err: string
}
interface Run {
  input?: string
  env?: Record<string, string>
}

/** A machine of its own, on which nobody has signed in: a folder to work in, the settings apart from it. */
async function machine() {
  const place = await mkdtemp(join(folder, 'machine-'))
  const work = join(place, 'work')
  const config = join(place, 'config')
  await mkdir(work)
  const start = (args: readonly string[], { input, env = {} }: Run = {}): ChildProcess & { ended: Promise<Ended> } => {
    const { PATH = '' } = process.env
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: work,
      env: { PATH, TIDENET_LANG: 'en', TIDENET_CONFIG: config, TIDENET_URL: network.url, ...env },
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (text) => {
      out += text
    })
    child.stderr.on('data', (text) => {
      err += text
    })
    if (input !== undefined) child.stdin.end(input)
    const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })))
    return Object.assign(child, { ended })
  }
  const run = (args: readonly string[], options: Run = {}) => start(args, { input: '', ...options }).ended
  return {
    work,
    config,
    start,
    run,
    /** What `--json` tells: exactly one document, and nothing beside it. */
    async json<T = Record<string, never>>(
      args: readonly string[],
      options: Run = {},
    ): Promise<{ code: number; data: T }> {
      const { code, out, err } = await run([...args, '--json'], options)
      expect(err).toBe('')
      expect(out.trimEnd().split('\n')).toHaveLength(1)
      return { code: code ?? -1, data: JSON.parse(out) as T }
    },
    write: async (path: string, size: number) => {
      const bytes = randomBytes(size)
      await mkdir(dirname(join(work, path)), { recursive: true })
      await writeFile(join(work, path), bytes)
      return bytes
    },
    read: (path: string) => readFile(join(work, path)),
  }
}

/** A machine on which a new person has signed in. */
async function signedIn() {
  const person = await signUp(network.url)
  const at = await machine()
  const { code } = await at.run(['login', '--email', person.username, '--password-stdin'], {
    input: `${person.password}\n`,
  })
  expect(code).toBe(0)
  return { ...at, person }
}

interface Listed {
  list: { name: string; kind: string; cid?: string; size: number; shared: boolean; encrypted?: boolean }[]
}

describe('signing in', () => {
  it('by password keeps a session that only its owner reads, until it is ended', async () => {
    const at = await signedIn()
    expect((await stat(join(at.config, 'session.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(at.config)).mode & 0o777).toBe(0o700)
    const { data } = await at.json<{ account: { account: string } }>(['status'])
    expect(data.account.account).toBe(at.person.username)
    const { token } = JSON.parse(await readFile(join(at.config, 'session.json'), 'utf8')) as { token: string }
    expect((await at.run(['logout'])).code).toBe(0)
    expect(await readFile(join(at.config, 'session.json'), 'utf8')).not.toContain(token)
    expect((await at.run(['ls'])).code).toBe(3)
    // The server believes a credential for a moment that it has just checked.
    await until(async () => (await wireClient(network.url, token).get('/api/v1/storage/get_storage_size')).code === 401)
  })

  it('by a code from the mailbox', async () => {
    const person = await signUp(network.url)
    const at = await machine()
    const login = at.start(['login', '--email', person.username, '--code'])
    const code = await until(async () => {
      const mails = await fetch(`${network.url}/dev/mailbox.json?to=${person.username}`).then((answer) => answer.json())
      const { code, subject } = (mails as { mails: { code: string; subject: string }[] }).mails[0] ?? {}
      return (mails as { mails: unknown[] }).mails.length > 1 && subject ? code : undefined
    })
    login.stdin?.end(`${code}\n`)
    expect((await login.ended).code).toBe(0)
    expect((await at.run(['ls'])).code).toBe(0)
  })

  it('with an API key, kept or from the environment', async () => {
    const { json } = await signedIn()
    const { data } = await json<{ key: string }>(['key', 'create', 'laptop'])
    const other = await machine()
    expect((await other.run(['ls'], { env: { TIDENET_TOKEN: data.key } })).code).toBe(0)
    expect((await other.run(['login', '--key', '-'], { input: `${data.key}\n` })).code).toBe(0)
    expect((await other.run(['ls'])).code).toBe(0)
    await json(['key', 'rm', 'laptop'])
    await until(async () => (await other.run(['ls'])).code === 3)
  })
})

describe('files', () => {
  it('go up, are listed, come back as they were, and are there only once', async () => {
    const at = await signedIn()
    const small = await at.write('夏 天.jpg', 300_000)
    const large = await at.write('large.bin', 12_000_000)
    expect((await at.run(['mkdir', '-p', '/2026/夏'])).code).toBe(0)
    const up = await at.run(['up', '夏 天.jpg', 'large.bin', '/2026/夏'])
    expect(up).toMatchObject({ code: 0, err: '' })
    const { data } = await at.json<Listed>(['ls', '/2026/夏'])
    expect(data.list.map(({ name, size }) => [name, size]).sort()).toEqual([
      ['large.bin', 12_000_000],
      ['夏 天.jpg', 300_000],
    ])
    expect(up.out).toContain(data.list[0]?.cid)

    const get = await at.run(['get', '/2026/夏/夏 天.jpg', '--to', 'back.jpg'])
    expect(get).toMatchObject({ code: 0, err: '' })
    expect(small.equals(await at.read('back.jpg'))).toBe(true)
    const cid = data.list.find(({ name }) => name === 'large.bin')?.cid ?? ''
    expect((await at.run(['get', cid, '--to', 'copies/'])).code).toBe(0)
    expect(large.equals(await at.read('copies/large.bin'))).toBe(true)

    const again = await at.json<{ list: { isAlreadyExist: boolean; path: string }[] }>(['up', 'large.bin'])
    expect(again.data.list[0]).toMatchObject({ isAlreadyExist: true, path: '/2026/夏/large.bin' })
  })

  it('are moved, renamed and deleted', async () => {
    const at = await signedIn()
    await at.write('a.bin', 1000)
    await at.write('b.bin', 2000)
    await at.run(['up', 'a.bin', 'b.bin', '--to', '/'])
    await at.run(['mkdir', 'one', 'two'])
    expect((await at.run(['mv', 'a.bin', 'b.bin', 'one'])).code).toBe(0)
    expect((await at.run(['mv', 'one/a.bin', '/c.bin'])).code).toBe(0)
    expect((await at.run(['mv', 'one', 'two/uno'])).code).toBe(0)
    const names = async (path: string) => (await at.json<Listed>(['ls', path])).data.list.map(({ name }) => name)
    expect(await names('/')).toEqual(['two', 'c.bin'])
    expect(await names('/two/uno')).toEqual(['b.bin'])
    expect((await at.run(['rm', '-y', 'two', 'c.bin'])).code).toBe(0)
    expect(await names('/')).toEqual([])
  })

  it('go through standard output', async () => {
    const at = await signedIn()
    const bytes = await at.write('a.bin', 400_000)
    await at.run(['up', 'a.bin'])
    const get = at.start(['get', 'a.bin', '--to', '-'], { input: '' })
    const pieces: Buffer[] = []
    get.stdout?.on('data', (piece: Buffer) => pieces.push(piece))
    expect(await get.ended).toMatchObject({ code: 0, err: '' })
    expect(bytes.equals(Buffer.concat(pieces))).toBe(true)
  })

  it('are encrypted before they leave, and opened with their passphrase alone', async () => {
    const at = await signedIn()
    const bytes = await at.write('secret.bin', 50_000)
    const env = { TIDENET_PASSPHRASE: 'a long walk' }
    expect((await at.run(['up', 'secret.bin', '--encrypt'], { env })).code).toBe(0)
    expect((await at.json<Listed>(['ls'])).data.list[0]).toMatchObject({ name: 'secret.bin', encrypted: true })
    await at.run(['get', 'secret.bin', '--to', 'stored'])
    expect((await at.read('stored')).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
    expect((await at.run(['get', 'secret.bin', '--decrypt', '--to', 'opened'], { env })).code).toBe(0)
    expect(bytes.equals(await at.read('opened'))).toBe(true)
    const wrong = await at.run(['get', 'secret.bin', '--decrypt', '--to', 'no'], {
      env: { TIDENET_PASSPHRASE: 'a guess' },
    })
    expect(wrong.code).toBe(1)
    expect(existsSync(join(at.work, 'no'))).toBe(false)
  })
})

describe('folders', () => {
  it('of this machine come back as tar or unpacked', async () => {
    const at = await signedIn()
    const deep = await at.write('tree/深/deep.bin', 70_000)
    await at.write('tree/top.bin', 10)
    expect((await at.run(['up', 'tree'])).code).toBe(0)
    expect((await at.run(['get', 'tree'])).code).toBe(0)
    expect(existsSync(join(at.work, 'tree.tar'))).toBe(true)
    expect((await at.run(['get', 'tree', '-x', '--to', 'copy'])).code).toBe(0)
    expect(deep.equals(await at.read('copy/深/deep.bin'))).toBe(true)
    expect((await readdir(at.work)).sort()).toEqual(['copy', 'tree', 'tree.tar'])
  })

  it('of the account become folders of this machine; run again, only what is missing is fetched', async () => {
    const at = await signedIn()
    const files = ['a.bin', 'b.bin', 'c.bin', 'd.bin', 'e.bin']
    const bytes = await Promise.all(files.map((name, index) => at.write(name, 1000 * (index + 1))))
    await at.run(['up', ...files.slice(0, 3), '/all/sub', '-p'])
    await at.run(['up', ...files.slice(3), '/all'])
    expect(await at.run(['get', '/all', '--to', 'here'])).toMatchObject({ code: 0, err: '' })
    expect(bytes[0]?.equals(await at.read('here/sub/a.bin'))).toBe(true)
    expect(bytes[4]?.equals(await at.read('here/e.bin'))).toBe(true)
    await rm(join(at.work, 'here/e.bin'))
    const { data } = await at.json<{ list: { path: string; had: boolean }[] }>(['get', '/all', '--to', 'here'])
    expect(data.list.filter(({ had }) => !had).map(({ path }) => path)).toEqual(['here/e.bin'])
    expect(data.list).toHaveLength(5)
  })
})

describe('a transfer that was broken off', () => {
  const SIZE = 95_000_000

  it.each(['SIGINT', 'SIGKILL'] as const)('upwards by %s goes on when it is run again', async (signal) => {
    const at = await signedIn()
    await at.write('large.bin', SIZE)
    const remembered = join(at.config, 'uploads.json')
    const up = at.start(['up', 'large.bin', '--json'], { input: '' })
    await until(async () => existsSync(remembered))
    up.kill(signal)
    const { code, out } = await up.ended
    if (signal === 'SIGINT') {
      expect(code).toBe(130)
      expect(JSON.parse(out)).toMatchObject({ code: -200 })
    }
    const [{ location, token }] = Object.values(JSON.parse(await readFile(remembered, 'utf8'))) as [
      { location: string; token: string },
    ]
    expect((await stat(remembered)).mode & 0o777).toBe(0o600)
    const held = await fetch(location, {
      method: 'HEAD',
      headers: { 'Tus-Resumable': '1.0.0', Authorization: `Bearer ${token}` },
    })
    expect(held.headers.get('upload-length')).toBe(String(SIZE))

    expect((await at.run(['up', 'large.bin'])).code).toBe(0)
    expect(JSON.parse(await readFile(remembered, 'utf8'))).toEqual({})
    // What stands in the account is what lies on this machine.
    const { data } = await at.json<{ list: { had: boolean }[] }>(['get', 'large.bin'])
    expect(data.list[0]?.had).toBe(true)
  })

  it('downwards goes on when it is run again', async () => {
    const at = await signedIn()
    const bytes = await at.write('large.bin', SIZE)
    await at.run(['up', 'large.bin'])
    const get = at.start(['get', 'large.bin', '--to', 'back.bin'], { input: '' })
    await until(async () => existsSync(join(at.work, 'back.bin.part')))
    get.kill('SIGKILL')
    await get.ended
    expect(existsSync(join(at.work, 'back.bin'))).toBe(false)
    expect((await at.run(['get', 'large.bin', '--to', 'back.bin'])).code).toBe(0)
    expect(bytes.equals(await at.read('back.bin'))).toBe(true)
    expect((await readdir(at.work)).sort()).toEqual(['back.bin', 'large.bin'])
  })
})

describe('a share', () => {
  it('has a link, a password and an end', async () => {
    const at = await signedIn()
    await at.write('a.bin', 1000)
    await at.run(['up', 'a.bin'])
    interface Link {
      short_link: string
      short_pass: string
      expire_at: number
    }
    const made = await at.json<Link>(['share', 'a.bin', '--days', '7', '--password', 'abc123'])
    const page = await fetch(made.data.short_link, { redirect: 'manual' })
    expect(page.status).toBe(302)
    const days = (made.data.expire_at - Date.now() / 1000) / 86_400
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThan(7.1)
    const text = await at.run(['share', 'a.bin'])
    expect(text.out).toContain('abc123')
    expect(text.out).toContain(made.data.short_link)
    expect((await at.json<Link>(['share', 'a.bin', '--no-password'])).data).toMatchObject({
      short_pass: '',
      expire_at: made.data.expire_at,
    })
    expect((await at.json<Listed>(['ls'])).data.list[0]?.shared).toBe(true)
    expect((await at.run(['share', 'a.bin', '--off'])).code).toBe(0)
    expect((await at.json<Listed>(['ls'])).data.list[0]?.shared).toBe(false)
  })
})

describe('the network', () => {
  it('is told to anyone, with its nodes', async () => {
    const at = await machine()
    const { data } = await at.json<{ account: null; network: { online_node_count: number } }>(['status'])
    expect(data).toMatchObject({ account: null, network: { online_node_count: 4 } })
    expect((await at.json<Listed>(['node', 'ls'])).data.list).toHaveLength(4)
  })

  it('takes another node, until that is stopped', async () => {
    const at = await machine()
    const args = [
      'node',
      'start',
      '--area',
      'Asia-China-Beijing-Beijing',
      '--place',
      '39.9,116.4',
      '--capacity',
      '1GiB',
    ]
    const node = at.start([...args, '--data', 'node', '--json'], { env: { TIDENET_ENV: 'test' } })
    const ready = await until(async () => node.exitCode ?? (await once(node)))
    expect(typeof ready).toBe('string')
    const { id } = JSON.parse(String(ready)) as { id: string }
    const ids = async () =>
      (await at.json<{ list: { node_id: string }[] }>(['node', 'ls'])).data.list.map((row) => row.node_id)
    expect(await ids()).toContain(id)
    node.kill('SIGINT')
    expect((await node.ended).code).toBe(0)
  })
})

describe('Chinese', () => {
  it('is spoken throughout, also by help and by mistakes', async () => {
    const at = await machine()
    const env = { TIDENET_LANG: '', LANG: 'zh_CN.UTF-8' }
    for (const args of [['--help'], ['ls'], ['nope'], ['ls', '--nope'], ['key', 'create'], ['status']]) {
      const { out, err } = await at.run(args, { env })
      expect(out + err).toMatch(/[\u4e00-\u9fff]/)
      expect(out + err).not.toMatch(/\b(Usage|Options|Commands|error|There is|Sign in)\b/)
    }
  })
})

describe('refused', () => {
  it.each([
    ['who has not signed in', ['ls'], 3],
    ['a wrong password', ['login', '--email', 'nobody@people.example', '--password-stdin'], 3],
    ['a key that is none', ['login', '--key', 'tnk_nonsense'], 3],
    ['no command', [], 2],
    ['an unknown command', ['nope'], 2],
    ['an unknown option', ['ls', '--nope'], 2],
    ['a missing argument', ['rm'], 2],
    ['a question that nobody can answer', ['login'], 2],
    ['an address that is none', ['login', '--url', 'portal.example', '--key', 'x'], 2],
    ['a file that is not there', ['up', 'nothing'], 4],
  ])('is %s', async (_, args, code) => {
    const at = await machine()
    const [text, json] = await Promise.all([at.run(args), at.json<{ code: number; msg: string }>(args)])
    expect(text).toMatchObject({ code, out: '' })
    expect(text.err).not.toBe('')
    expect(json.code).toBe(code)
    expect(json.data.code).not.toBe(0)
    expect(json.data.msg).not.toBe('')
  })

  it('is a portal that does not answer, or is none, by its address', async () => {
    const at = await machine()
    const web = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<h1>hello</h1>')).listen(
      0,
      '127.0.0.1',
    )
    await until(async () => web.listening)
    const { port } = web.address() as AddressInfo
    for (const url of ['http://127.0.0.1:1', `http://127.0.0.1:${port}`, network.nodes[0]?.url ?? '']) {
      const { code, err } = await at.run(['status'], { env: { TIDENET_URL: url } })
      expect(code).toBe(1)
      expect(err).toContain(url)
    }
    web.close()
  })

  it('is another portal that would like to see the session', async () => {
    const at = await signedIn()
    const seen: unknown[] = []
    const thief = createServer((asked, answer) => {
      seen.push(asked.headers.jwtauthorization)
      answer.setHeader('content-type', 'application/json').end('{"code":0,"data":{"list":[],"total":0}}')
    }).listen(0, '127.0.0.1')
    await until(async () => thief.listening)
    const { port } = thief.address() as AddressInfo
    const env = { TIDENET_URL: `http://127.0.0.1:${port}` }
    expect((await at.run(['ls'], { env })).code).toBe(3)
    await at.run(['node', 'ls'], { env })
    expect(seen).toEqual([undefined])
    thief.close()
  })

  it('are paths that lead nowhere, and changes that would destroy something', async () => {
    const at = await signedIn()
    await at.write('a.bin', 1000)
    await at.write('b.bin', 2000)
    await at.run(['up', 'a.bin', 'b.bin', '--to', '/'])
    await at.run(['mkdir', 'folder'])
    const code = async (...args: string[]) => (await at.run(args)).code
    expect(await code('get', 'nothing')).toBe(4)
    expect(await code('ls', '/folder/nothing')).toBe(4)
    expect(await code('up', 'a.bin', '/nothing')).toBe(4)
    expect(await code('mv', 'a.bin', 'nothing/x')).toBe(4)
    expect(await code('mkdir', 'folder')).toBe(1)
    expect(await code('mv', 'a.bin', 'b.bin')).toBe(1)
    expect(await code('mv', 'folder', 'folder/inner')).toBe(1)
    expect(await code('rm', 'a.bin')).toBe(2)
    expect(await code('rm', '-y', '/')).toBe(2)
    expect(await code('get', 'a.bin', '--to', '-', '--json')).toBe(2)
    expect(await code('share', 'a.bin', '--password', 'short')).toBe(2)
    expect(await code('share', '/')).toBe(2)
    // What lies here is not overwritten unasked.
    expect(await code('get', 'a.bin', '--to', 'b.bin')).toBe(1)
    expect((await at.read('b.bin')).length).toBe(2000)
    expect(await code('get', 'a.bin', '--to', 'b.bin', '-f')).toBe(0)
    expect((await at.json<Listed>(['ls'])).data.list).toHaveLength(3)
  })

  it("are other people's files, and what a key was not given for", async () => {
    const owner = await signedIn()
    await owner.write('mine.bin', 1000)
    const { data } = await owner.json<{ list: { cid: string }[] }>(['up', 'mine.bin'])
    const stranger = await signedIn()
    const cid = data.list[0]?.cid ?? ''
    for (const args of [
      ['get', cid],
      ['rm', '-y', cid],
      ['share', cid],
    ])
      expect((await stranger.run(args)).code).toBe(4)
    expect((await stranger.json<Listed>(['ls'])).data.list).toEqual([])

    const made = await owner.json<{ key: string }>(['key', 'create', 'reader', '--permissions', 'readFile,readFolder'])
    const env = { TIDENET_TOKEN: made.data.key }
    const reader = await machine()
    expect((await reader.run(['get', 'mine.bin'], { env })).code).toBe(0)
    await reader.write('other.bin', 10)
    for (const args of [
      ['up', 'other.bin'],
      ['rm', '-y', 'mine.bin'],
      ['mkdir', 'x'],
      ['share', 'mine.bin'],
      ['key', 'ls'],
    ])
      expect((await reader.run(args, { env })).code).toBe(1)
  })

  it('are some of several, and the rest is done', async () => {
    const at = await signedIn()
    await at.write('a.bin', 1000)
    await at.run(['up', 'a.bin'])
    await at.run(['mkdir', 'one'])
    const { code, data } = await at.json<{ code: number; list: { path: string }[]; failed: { name: string }[] }>([
      'mkdir',
      'one',
      'two',
    ])
    expect(code).toBe(1)
    expect(data.list).toMatchObject([{ path: '/two' }])
    expect(data.failed).toMatchObject([{ name: 'one' }])
  })
})

/** The next piece of what a program prints. */
const once = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString()))
    child.once('close', () => reject(new Error('it has ended')))
  })
