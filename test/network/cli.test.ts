import type { ChildProcess } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { paths } from '@tidenet/contract/paths.gen'
import { describe, expect, it } from 'vitest'
import { cliNetwork, type Listing } from './cli-machine.ts'
import { signUp, until, wireClient } from './wire-client.ts'

const cli = cliNetwork()
const { machine, signedIn } = cli

describe('signing in', () => {
  it('by password stores a session with mode 0600 until sign-out', async () => {
    const at = await signedIn()
    expect((await stat(join(at.config, 'session.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(at.config)).mode & 0o777).toBe(0o700)
    const { data } = await at.json<{ account: { account: string } }>(['status'])
    expect(data.account.account).toBe(at.person.username)
    const { token } = JSON.parse(await readFile(join(at.config, 'session.json'), 'utf8')) as { token: string }
    expect((await at.run(['logout'])).code).toBe(0)
    expect(await readFile(join(at.config, 'session.json'), 'utf8')).not.toContain(token)
    expect((await at.run(['ls'])).code).toBe(3)
    // The server caches a checked credential for a moment.
    await until(
      async () => (await wireClient(cli.network.url, token).get('/api/v1/storage/get_storage_size')).code === 401,
    )
  })

  it('by a code from an e-mail', async () => {
    const person = await signUp(cli.network.url)
    const at = await machine()
    const login = at.start(['login', '--email', person.username, '--code'])
    const code = await until(async () => {
      const mails = await fetch(`${cli.network.url}/dev/mailbox.json?to=${person.username}`).then((answer) =>
        answer.json(),
      )
      const { code, subject } = (mails as { mails: { code: string; subject: string }[] }).mails[0] ?? {}
      return (mails as { mails: unknown[] }).mails.length > 1 && subject ? code : undefined
    })
    login.stdin?.end(`${code}\n`)
    expect((await login.ended).code).toBe(0)
    expect((await at.run(['ls'])).code).toBe(0)
  })

  it('with an API key, stored or from the environment', async () => {
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

describe('the network', () => {
  it('is shown to anyone, with its nodes', async () => {
    const at = await machine()
    const { data } = await at.json<{ account: null; network: { online_node_count: number } }>(['status'])
    expect(data).toMatchObject({ account: null, network: { online_node_count: cli.network.nodes.length } })
    expect((await at.json<Listing>(['node', 'ls'])).data.list).toHaveLength(cli.network.nodes.length)
  })

  it('shows what the devices of an account earned, and a day of one only to its owner', async () => {
    const at = await signedIn()
    expect((await at.json(['node', 'earnings'])).data).toMatchObject({ list: [], total: { traffic: 0, storage: 0 } })
    expect((await at.run(['node', 'earnings'])).code).toBe(0)
    const id = cli.network.nodes[0]?.id ?? ''
    expect((await at.run(['node', 'earnings', '--device', id])).code).toBe(4)
    expect((await at.run(['node', 'earnings', '--day', '2026-01-31'])).code).toBe(2)
    expect((await at.run(['node', 'earnings', '--device', id, '--day', 'today'])).code).toBe(2)
    expect((await (await machine()).run(['node', 'earnings'])).code).toBe(3)
  })

  it('accepts another node until that stops', async () => {
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
      '--name',
      'shelf',
      '--owner',
      `own_${'0'.repeat(22)}`,
    ]
    const node = at.start([...args, '--data', 'node', '--json'], { env: { TIDENET_ENV: 'test' } })
    const ready = await until(async () => node.exitCode ?? (await once(node)))
    expect(typeof ready).toBe('string')
    const { id } = JSON.parse(String(ready)) as { id: string }
    const ids = async () =>
      (await at.json<{ list: { node_id: string }[] }>(['node', 'ls'])).data.list.map((row) => row.node_id)
    expect(await ids()).toContain(id)
    const explorer = await fetch(`${cli.network.url}${paths['explorer.node'].path}?node_id=${id}`)
    expect(await explorer.json()).toMatchObject({ data: { name: 'shelf' } })
    node.kill('SIGINT')
    const { code, err } = await node.ended
    expect(code).toBe(0)
    // The node ran with an unknown code, and said where to create another.
    expect(err).toContain('/devices')
  })
})

describe('Chinese', () => {
  it('is used throughout, in help and errors too', async () => {
    const at = await machine()
    const env = { TIDENET_LANG: '', LANG: 'zh_CN.UTF-8' }
    for (const args of [['--help'], ['ls'], ['nope'], ['ls', '--nope'], ['key', 'create'], ['status']]) {
      const { out, err } = await at.run(args, { env })
      expect(out + err).toMatch(/[\u4e00-\u9fff]/)
      expect(out + err).not.toMatch(/\b(Usage|Options|Commands|error|Unknown|Sign in)\b/)
    }
  })
})

describe('refused', () => {
  it.each([
    ['an anonymous user', ['ls'], 3],
    ['a wrong password', ['login', '--email', 'nobody@people.example', '--password-stdin'], 3],
    ['an invalid key', ['login', '--key', 'tnk_nonsense'], 3],
    ['no command', [], 2],
    ['an unknown command', ['nope'], 2],
    ['an unknown option', ['ls', '--nope'], 2],
    ['a missing argument', ['rm'], 2],
    ['a prompt without a terminal', ['login'], 2],
    ['an invalid address', ['login', '--url', 'portal.example', '--key', 'x'], 2],
    ['a missing file', ['up', 'nothing'], 4],
  ])('is %s', async (_, args, code) => {
    const at = await machine()
    const [text, json] = await Promise.all([at.run(args), at.json<{ code: number; msg: string }>(args)])
    expect(text).toMatchObject({ code, out: '' })
    expect(text.err).not.toBe('')
    expect(json.code).toBe(code)
    expect(json.data.code).not.toBe(0)
    expect(json.data.msg).not.toBe('')
  })

  it('is an address without a portal; the error names the address', async () => {
    const at = await machine()
    const web = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<h1>hello</h1>')).listen(
      0,
      '127.0.0.1',
    )
    await until(async () => web.listening)
    const { port } = web.address() as AddressInfo
    for (const url of ['http://127.0.0.1:1', `http://127.0.0.1:${port}`, cli.network.nodes[0]?.url ?? '']) {
      const { code, err } = await at.run(['status'], { env: { TIDENET_URL: url } })
      expect(code).toBe(1)
      expect(err).toContain(url)
    }
    web.close()
  })

  it('is sending the session to another portal', async () => {
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

  it("are other people's files, and calls outside the permissions of a key", async () => {
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
    expect((await stranger.json<Listing>(['ls'])).data.list).toEqual([])

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
})

/** The next chunk that a program prints. */
const once = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString()))
    child.once('close', () => reject(new Error('the program ended')))
  })
