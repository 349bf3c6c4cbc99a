import { once } from 'node:events'
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net'
import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { TestEnv } from '../../test-env.fixture.ts'
import { reconcileWorkload } from '../workspaces/reconcile.ts'
import type { Tenant } from '../workspaces/sample-tenant.fixture.ts'
import { pathOf, samplePrograms, settled } from './sample-programs.fixture.ts'
import type { Got } from './visitor.fixture.ts'

/** What visitors of a program get, and who is let in. The programs are HTTP servers of this process. */

let programs: Awaited<ReturnType<typeof samplePrograms>>
let env: TestEnv
let visit: (typeof programs)['visit']
const publish = (one: Tenant, id: string, more: object = {}) => programs.publish(one, id, more)
const program = (one: Tenant, ports = [80]) => programs.program(one, { ports })
const tenant = () => programs.tenant()

beforeAll(async () => {
  programs = await samplePrograms()
  env = programs.env
  visit = programs.visit
})
afterAll(() => programs.close())

const browser = { accept: 'text/html,*/*' }
const cookieOf = ({ headers }: Got) => headers['set-cookie']?.[0]?.split(';')[0] ?? ''

describe('a program that is public', () => {
  it('gets requests of every kind as they were sent, and says who asks', async () => {
    const one = await tenant()
    const { id, host } = await program(one)
    await publish(one, id, {})
    const got = await visit(host, '/a%2Fb?c=1&c=2', {
      method: 'PUT',
      headers: { cookie: 'x=1', 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' },
      body: 'hello',
    })
    expect(got.status).toBe(200)
    const { headers, ...rest } = JSON.parse(got.text)
    expect(rest).toEqual({ method: 'PUT', url: '/a%2Fb?c=1&c=2', body: 'hello', id })
    expect(headers).toMatchObject({
      host,
      cookie: 'x=1',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': host,
      'x-forwarded-proto': 'http',
    })
    expect(headers['x-real-ip']).toBeUndefined()
  })

  it.each([
    ['a status that is none', 'HTTP/1.1 000 none\r\ncontent-length: 2\r\n\r\nhi'],
    ['a status beyond all', 'HTTP/1.1 999 beyond\r\ncontent-length: 2\r\n\r\nhi'],
    ['control characters', 'HTTP/1.1 200 \u0001\u0007\r\ncontent-length: 2\r\nx-a: \u0001\r\n\r\nhi'],
    ['more bytes than it said', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi and more'],
    ['fewer bytes than it said', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi'],
    ['a switch that nobody asked for', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['nothing', ''],
  ])('that answers with %s ends its own answer, and nothing else', async (_, text) => {
    const one = await tenant()
    const { id, host } = await program(one)
    await publish(one, id, {})
    const bad = createNetServer((socket) => socket.on('error', () => {}).end(text))
    await new Promise<void>((resolve) => bad.listen(0, '127.0.0.1', resolve))
    const good = programs.sample.control.listening.get(`${id}:80`)
    programs.sample.control.listening.set(`${id}:80`, { host: '127.0.0.1', port: (bad.address() as AddressInfo).port })
    await visit(host).catch(() => {})
    await new Promise<void>((resolve) =>
      new WebSocket(`ws://127.0.0.1:${programs.ingress.port}`, { headers: { host } }).on('error', () => resolve()),
    )
    bad.close()
    if (good) programs.sample.control.listening.set(`${id}:80`, good)
    const got = await settled(
      () => visit(host),
      ({ status }) => status === 200,
    )
    expect(got.status).toBe(200)
  })

  it('gets no request of another visitor as the body of a refused websocket', async () => {
    const one = await tenant()
    const { id, host } = await program(one)
    await publish(one, id, {})
    // Answers whatever comes, and keeps the connection open for more.
    const connections: string[] = []
    const plain = createNetServer((socket) => {
      const index = connections.push('') - 1
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        connections[index] += bytes.toString('latin1')
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi')
      })
    })
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    const address = { host: '127.0.0.1', port: (plain.address() as AddressInfo).port }
    programs.sample.control.listening.set(`${id}:80`, address)
    const refused = connect(programs.ingress.port, '127.0.0.1')
    refused.write(
      `GET /first HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
        'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\ncontent-length: 500\r\n\r\n',
    )
    await once(refused, 'data')
    expect((await visit(host, '/second')).status).toBe(200)
    refused.destroy()
    plain.close()
    const [first = '', second = ''] = connections
    expect(first).toContain('GET /first')
    expect(first.toLowerCase()).not.toContain('content-length')
    expect(first).not.toContain('/second')
    expect(second).toContain('GET /second')
  })

  it('cannot set cookies for the programs of others', async () => {
    const one = await tenant()
    const { id, host } = await program(one)
    await publish(one, id, {})
    expect((await visit(host)).headers['set-cookie']).toEqual(['own=1; Path=/'])
  })

  it('has an address for each port, and the first one has the shortest', async () => {
    const one = await tenant()
    const { id, urls } = await program(one, [80, 9000])
    expect(urls[1]).toBe((urls[0] as string).replace('.', '-9000.'))
    await publish(one, id, { port: 9000 })
    expect((await visit(new URL(urls[1] as string).host)).status).toBe(200)
    expect((await visit(new URL(urls[0] as string).host)).status).toBe(401)
  })

  it('speaks websockets, with the protocol that it chooses', async () => {
    const one = await tenant()
    const { id, host } = await program(one)
    await publish(one, id, {})
    const socket = new WebSocket(`ws://127.0.0.1:${programs.ingress.port}/live`, ['echo', 'other'], {
      headers: { host },
    })
    const cookies = new Promise((resolve) => socket.on('upgrade', ({ headers }) => resolve(headers['set-cookie'])))
    const echoed = await new Promise<string>((resolve, reject) => {
      socket.on('open', () => socket.send('over and back'))
      socket.on('message', (data) => resolve(String(data)))
      socket.on('error', reject)
    })
    expect([echoed, socket.protocol, await cookies]).toEqual(['over and back', 'echo', ['own=1']])
    socket.terminate()
  })

  it('is asked once more if it closes the connection instead of answering, unless that might do something twice', async () => {
    const one = await tenant()
    const asked: (string | undefined)[] = []
    const { id, host } = await programs.program(one, {
      serve: ({ method, socket }, response) => {
        if (asked.push(method) % 2 === 1) socket.destroy()
        else response.end('answered')
      },
    })
    await publish(one, id, {})
    expect(await visit(host)).toMatchObject({ status: 200, text: 'answered' })
    expect(asked).toEqual(['GET', 'GET'])
    expect((await visit(host, '/', { method: 'POST', body: 'pay' })).status).toBe(502)
    expect(asked).toEqual(['GET', 'GET', 'POST'])
  })

  it.each(['102 Processing', '103 Early Hints'])('says %s before its answer', async (early) => {
    const one = await tenant()
    const { id, host } = await program(one)
    await publish(one, id, {})
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 8\r\nconnection: close\r\n\r\nanswered'
    const server = createNetServer((socket) =>
      socket
        .on('error', () => {})
        .once('data', () => socket.end(`HTTP/1.1 ${early}\r\nlink: </a.css>\r\n\r\n${answer}`)),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    programs.sample.control.listening.set(`${id}:80`, { host: '127.0.0.1', port })
    expect(await visit(host)).toMatchObject({ status: 200, text: 'answered' })
    server.close()
  })

  it('is told apart from one that does not answer, and from one that is stopped', async () => {
    const one = await tenant()
    const { id, host } = await program(one)
    await publish(one, id, {})
    programs.sample.control.listening.delete(`${id}:80`)
    expect((await visit(host)).status).toBe(502)
    await env.call('clusters.stop', { id }, one)
    await reconcileWorkload(env.context, id)
    const { status } = await settled(
      () => visit(host),
      (got) => got.status === 503,
    )
    expect(status).toBe(503)
  })
})

describe('a program for its account', () => {
  it('is opened from the console, and from a bookmark after signing in', async () => {
    const one = await tenant()
    const { host } = await program(one)
    const asked = await visit(host, '/reports?day=1', { headers: browser })
    expect(asked.status).toBe(303)
    const to = new URL(asked.headers.location ?? '')
    expect([to.pathname, to.searchParams.get('host'), to.searchParams.get('path')]).toEqual([
      '/console/open',
      host,
      '/reports?day=1',
    ])
    const { url } = (await env.call('clusters.open', { host, path: '/reports?day=1' }, one)).data
    const entered = await visit(host, pathOf(url))
    expect([entered.status, entered.headers.location]).toEqual([303, '/reports?day=1'])
    const got = await visit(host, '/reports?day=1', { headers: { cookie: `a=1; ${cookieOf(entered)}` } })
    expect(got.status).toBe(200)
    // The pass is not for the program.
    expect(JSON.parse(got.text).headers.cookie).toBe('a=1')
  })

  it('is closed again when the session of the console ends', async () => {
    const one = await tenant()
    const { host } = await program(one)
    const { url } = (await env.call('clusters.open', { host }, one)).data
    const cookie = cookieOf(await visit(host, pathOf(url)))
    expect((await visit(host, '/', { headers: { cookie } })).status).toBe(200)
    await env.call('clusters.leave', {}, one)
    const got = await settled(
      () => visit(host, '/', { headers: { cookie } }),
      ({ status }) => status === 401,
    )
    expect(got.status).toBe(401)
  })
})

describe('a program with a password', () => {
  const form = (host: string, password: string, to = '/') =>
    visit(host, '/.tidenet/password', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ password, to }).toString(),
    })

  it('asks for it once, and again when it changes', async () => {
    const one = await tenant()
    const { id, host } = await program(one)
    await publish(one, id, { access: 'password', password: 'open sesame' })
    expect((await visit(host, '/', { headers: browser })).status).toBe(401)
    const entered = await form(host, 'open sesame', '/inner')
    expect([entered.status, entered.headers.location]).toEqual([303, '/inner'])
    const cookie = cookieOf(entered)
    expect((await visit(host, '/inner', { headers: { cookie } })).status).toBe(200)
    // Without a new password the old one stays.
    await publish(one, id, { access: 'password' })
    expect((await visit(host, '/inner', { headers: { cookie } })).status).toBe(200)
    await publish(one, id, { access: 'password', password: 'another one' })
    const got = await settled(
      () => visit(host, '/inner', { headers: { cookie } }),
      ({ status }) => status === 401,
    )
    expect(got.status).toBe(401)
  })

  it('never leads to another site', async () => {
    const one = await tenant()
    const { id, host } = await program(one)
    await publish(one, id, { access: 'password', password: 'open sesame' })
    for (const to of ['https://evil.test/', '//evil.test', '/\\evil.test', '', 'x', '/a\r\nb: c'])
      expect((await form(host, 'open sesame', to)).headers.location).toBe('/')
  })

  it('refuses others, and guesses without end', async () => {
    const one = await tenant()
    const { id, host } = await program(one)
    await publish(one, id, { access: 'password', password: 'open sesame' })
    const statuses: number[] = []
    for (let guess = 0; guess < 12; guess++) statuses.push((await form(host, `guess ${guess}`)).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    expect((await form(host, 'open sesame')).status).toBe(429)
  })
})

describe('refused are', () => {
  it('addresses without a program, and programs that their owner closed', async () => {
    const one = await tenant()
    const { id, host } = await program(one)
    await publish(one, id, { access: 'none' })
    expect((await programs.workloadOf(one, id))?.ports).toMatchObject([{ port: 80, url: '', access: 'none' }])
    const closed = await settled(
      () => visit(host),
      ({ status }) => status === 404,
    )
    expect(closed.status).toBe(404)
    for (const other of ['apps.test', 'web-0123456789ab.apps.test', 'web.apps.test', '', 'portal.test'])
      expect((await visit(other)).status).toBe(404)
  })

  it('tickets of other addresses, used ones, old ones, and passes of others', async () => {
    const [one, other] = [await tenant(), await tenant()]
    const [mine, theirs] = [await program(one), await program(other)]
    const ticketTo = async (host: string, by: Tenant) =>
      pathOf((await env.call('clusters.open', { host }, by)).data.url)
    const ticket = await ticketTo(mine.host, one)
    expect(cookieOf(await visit(theirs.host, ticket))).toBe('')
    const cookie = cookieOf(await visit(mine.host, ticket))
    expect(cookie).not.toBe('')
    expect(cookieOf(await visit(mine.host, ticket))).toBe('')
    expect((await visit(theirs.host, '/', { headers: { cookie } })).status).toBe(401)
    const late = await ticketTo(mine.host, one)
    env.clock.move(61_000)
    expect(cookieOf(await visit(mine.host, late))).toBe('')
    env.clock.move(0)
  })

  it('changes by other accounts, of other ports, with short passwords, or without any', async () => {
    const [one, other] = [await tenant(), await tenant()]
    const { id, host } = await program(one)
    const codes = async (by: Tenant, more: object) => (await publish(by, id, more)).msg
    expect(await codes(other, {})).toBe(errors.workloadUnknown.en())
    expect(await codes(one, { port: 81 })).toBe(errors.portUnknown.en())
    expect(await codes(one, { access: 'password' })).toBe(errors.addressPassword.en())
    expect(await codes(one, { access: 'password', password: 'short' })).toBe(errors.addressPassword.en())
    expect((await env.call('clusters.open', { host }, other)).msg).toBe(errors.notPublished.en())
    expect((await env.call('clusters.open', { host: 'portal.test' }, one)).msg).toBe(errors.notPublished.en())
  })
})
