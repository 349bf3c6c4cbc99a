import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { CONNECT_CLOSES, CONNECTIONS_MAX, EXEC_FRAMES, errors, TERMINAL_CLOSES } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { place } from '../../identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import type { sampleDriver } from '../clusters/sample-driver.fixture.ts'
import { sampleClusters, sampleTenant, type Tenant } from '../workspaces/sample-tenant.fixture.ts'
import { suspend } from '../workspaces/workspaces.ts'
import { connectWith, runWith } from './sample-connection.fixture.ts'

/** Commands and forwarded ports of programs, by websocket. */

let env: TestEnv
let sample: ReturnType<typeof sampleDriver>
let port = 0
beforeAll(async () => {
  env = await setup()
  sample = sampleClusters(env)
  await env.app.listen({ host: '127.0.0.1', port: 0 })
  port = (env.app.server.address() as AddressInfo).port
})
afterAll(() => env.close())

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A program of the tenant that listens on a port. */
async function listening({ machine }: Tenant, onSocket: (socket: Socket) => void, at = 80) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    onSocket(socket)
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  sample.control.listening.set(`${machine}:${at}`, {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
  })
}

type By = { token: string }
const execTicket = async (one: Tenant, more: Record<string, unknown> = {}, by: By = one) =>
  (await env.call('clusters.exec', { id: one.machine, command: ['cat'], ...more }, by)).data.ticket
const forwardTicket = async (one: Tenant, at = 80, by: By = one) =>
  (await env.call('clusters.forward', { id: one.machine, port: at }, by)).data.ticket

async function started(one: Tenant, by: By = one) {
  const run = runWith(port, await execTicket(one, {}, by))
  await run.opened
  run.type('a')
  await expect.poll(() => run.seen.output).toBe('a')
  return run
}

async function forwarded(one: Tenant, at = 80, by: By = one) {
  const { socket, opened, closed } = connectWith(port, await forwardTicket(one, at, by))
  const read: Buffer[] = []
  let ended = false
  socket.on('message', (bytes: Buffer) => {
    if (bytes.length === 0) ended = true
    else read.push(bytes)
  })
  await opened
  return { socket, closed, bytes: () => Buffer.concat(read), ended: () => ended }
}

/** An API key with all permissions, and a console session of it. */
async function keyOf({ person }: Tenant, more: Record<string, unknown> = {}) {
  const { key } = (await env.call('apiKeys.create', { key_name: 'k', type: 'admin', ...more }, person)).data
  return (await env.call('clusters.session', {}, { token: key })).data
}

describe('a command', () => {
  it('has input and both outputs, and its exit code comes last', async () => {
    const one = await sampleTenant(env)
    const run = runWith(port, await execTicket(one, { command: ['cat', 'a', 'b'] }))
    await run.opened
    run.type('first, ')
    run.type(Buffer.alloc(100_000, 'x'))
    run.end()
    expect(await run.closed).toBe(1000)
    expect(run.seen).toEqual({
      output: `first, ${'x'.repeat(100_000)}`,
      errors: 'cat a b',
      code: 3,
      last: EXEC_FRAMES.exit,
    })
  })

  it('has a terminal of the size of the client', async () => {
    const one = await sampleTenant(env)
    const run = runWith(port, await execTicket(one, { tty: true, columns: 90, rows: 30 }))
    await run.opened
    run.size(120, 40)
    await expect.poll(() => sample.control.sizes.at(-1)).toEqual({ columns: 120, rows: 40 })
    expect(sample.control.sizes.at(-2)).toEqual({ columns: 90, rows: 30 })
    run.type('exit')
    expect(await run.closed).toBe(1000)
    expect(run.seen.code).toBe(3)
  })

  it('is started by API keys with all permissions, too', async () => {
    const one = await sampleTenant(env)
    const run = await started(one, await keyOf(one))
    run.end()
    expect(await run.closed).toBe(1000)
  })
})

describe('a forwarded port', () => {
  it('passes the bytes of connections on, both ways, each until its end', async () => {
    const one = await sampleTenant(env)
    await listening(one, (socket) => {
      const read: Buffer[] = []
      socket.on('data', (bytes) => read.push(bytes))
      socket.on('end', () => socket.end(Buffer.concat(read).reverse()))
    })
    const all = await Promise.all(Array.from({ length: 10 }, () => forwarded(one)))
    const sent = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))
    for (const { socket } of all) {
      socket.send(sent.subarray(0, 150_000))
      socket.send(sent.subarray(150_000))
      socket.send(Buffer.alloc(0))
    }
    for (const { closed, bytes, ended } of all) {
      expect(await closed).toBe(1000)
      expect(ended()).toBe(true)
      expect(bytes().equals(Buffer.from(sent).reverse())).toBe(true)
    }
  })

  it('makes programs and clients wait for each other', async () => {
    const one = await sampleTenant(env)
    const size = 64 * 1024 * 1024
    let program: Socket | undefined
    await listening(one, (socket) => {
      program = socket
      socket.end(Buffer.alloc(size))
    })
    const connection = await forwarded(one)
    connection.socket.send(Buffer.alloc(0))
    connection.socket.pause()
    await expect.poll(() => program?.bytesWritten ?? 0).toBeGreaterThan(0)
    // What was accepted stays the same: nobody reads it.
    const accepted = () => (program?.bytesWritten ?? 0) - (program?.writableLength ?? 0)
    let before = -1
    await expect
      .poll(
        () => {
          const last = before
          before = accepted()
          return before === last
        },
        { interval: 300 },
      )
      .toBe(true)
    expect(before).toBeLessThan(size / 2)
    connection.socket.resume()
    expect(await connection.closed).toBe(1000)
    expect(connection.bytes()).toHaveLength(size)
  })

  it('where nothing listens is refused', async () => {
    const one = await sampleTenant(env)
    await listening(one, () => {})
    for (const server of servers.splice(0)) server.close()
    expect(await (await forwarded(one)).closed).toBe(CONNECT_CLOSES.refused)
    expect(await (await forwarded(one, 81)).closed).toBe(TERMINAL_CLOSES.unknown)
  })
})

describe('a connection ends', () => {
  const pairs = async (one: Tenant, by: By = one) => {
    await listening(one, () => {})
    return [(await started(one, by)).closed, (await forwarded(one, 80, by)).closed] as const
  }
  const ends = async (closed: readonly Promise<number>[], code: number) => {
    for (const each of closed) expect(await each).toBe(code)
  }

  it('when its session ends, while those of others stay', async () => {
    const [one, other] = [await sampleTenant(env), await sampleTenant(env)]
    const { token } = (await env.call('clusters.enter', { account: one.account, password: one.password }, place())).data
    const kept = [await started(other), await started(one, { token })]
    const closed = await pairs(one)
    await env.call('clusters.leave', {}, one)
    await ends(closed, TERMINAL_CLOSES.session)
    for (const { socket } of kept) {
      expect(socket.readyState).toBe(socket.OPEN)
      socket.terminate()
    }
  })

  it('when the session of the portal that it comes from ends', async () => {
    const one = await sampleTenant(env)
    const closed = await pairs(one, (await env.call('clusters.session', {}, one.person)).data)
    await env.call('accounts.logout', {}, one.person)
    await ends(closed, TERMINAL_CLOSES.session)
  })

  it.each([
    ['removed', (one: Tenant) => env.call('apiKeys.remove', { key_name: 'k' }, one.person)],
    ['replaced', (one: Tenant) => env.call('apiKeys.rotate', { key_name: 'k' }, one.person)],
    [
      'for other addresses only',
      (one: Tenant) => env.call('apiKeys.change', { key_name: 'k', ips: ['192.0.2.9'] }, one.person),
    ],
    ['limited', (one: Tenant) => env.call('apiKeys.change', { key_name: 'k', perms: ['readFile'] }, one.person)],
    [
      'expired',
      (one: Tenant) =>
        env.db.run(sql`update api_keys set expires_at = ${new Date(env.clock.now())} where user_id = ${one.person.id}`),
    ],
  ])('when its API key is %s', async (_, change) => {
    const one = await sampleTenant(env)
    const closed = await pairs(one, await keyOf(one))
    env.clock.move(1)
    await change(one)
    await ends(closed, TERMINAL_CLOSES.session)
  })

  it('when the account is locked', async () => {
    const one = await sampleTenant(env)
    const closed = await pairs(one)
    await env.db.run(sql`update users set locked_at = ${new Date(env.clock.now())} where id = ${one.person.id}`)
    await ends(closed, TERMINAL_CLOSES.session)
  })

  it('when the workload is stopped', async () => {
    const one = await sampleTenant(env)
    const closed = await pairs(one)
    await env.call('clusters.stop', { id: one.machine }, one)
    await ends(closed, TERMINAL_CLOSES.stopped)
  })

  it('when the order ends', async () => {
    const one = await sampleTenant(env)
    const closed = await pairs(one)
    await suspend(env.context, one.space)
    await ends(closed, TERMINAL_CLOSES.stopped)
  })
})

describe('no connection', () => {
  it('with a ticket that is used, expired, unknown, or of a session that has ended', async () => {
    const one = await sampleTenant(env)
    const used = await execTicket(one)
    const run = runWith(port, used)
    await run.opened
    run.end()
    expect(await run.closed).toBe(1000)
    const ended = await execTicket(one, {}, (await env.call('clusters.session', {}, one.person)).data)
    await env.call('accounts.logout', {}, one.person)
    for (const ticket of [used, ended, 'tnx_nothing', one.token])
      expect(await connectWith(port, ticket).closed).toBe(TERMINAL_CLOSES.session)
    const expired = await execTicket(one)
    env.clock.move(61_000)
    expect(await connectWith(port, expired).closed).toBe(TERMINAL_CLOSES.session)
  })

  it('from pages of other sites, or without a ticket', async () => {
    const one = await sampleTenant(env)
    expect(await connectWith(port, await execTicket(one), 'http://evil.example').closed).toBe(-1)
    expect(await connectWith(port, '').closed).not.toBe(1000)
  })

  it('beyond the limit of a workspace', async () => {
    const one = await sampleTenant(env)
    let reached = 0
    let reachAnother = () => {}
    const another = new Promise<void>((resolve) => {
      reachAnother = resolve
    })
    await listening(one, () => {
      reached += 1
      if (reached > CONNECTIONS_MAX.workspace) reachAnother()
    })
    const open = await Promise.all(Array.from({ length: CONNECTIONS_MAX.workspace }, () => forwarded(one)))
    // A connection opens before it takes its place.
    await expect.poll(() => reached).toBe(CONNECTIONS_MAX.workspace)
    expect(await (await forwarded(one)).closed).toBe(TERMINAL_CLOSES.tooMany)
    open[0]?.socket.terminate()
    await expect
      .poll(async () => {
        const { closed } = await forwarded(one)
        return Promise.race([closed.then(() => false), another.then(() => true)])
      })
      .toBe(true)
    for (const { socket } of open) socket.terminate()
  })

  it('to workloads of others, or stopped ones', async () => {
    const [one, stranger] = [await sampleTenant(env), await sampleTenant(env)]
    const call = (by: By) => env.call('clusters.exec', { id: one.machine, command: ['sh'] }, by)
    expect(await call(stranger)).toMatchObject({ err: errors.workloadUnknown.err })
    await env.call('clusters.stop', { id: one.machine }, one)
    expect(await call(one)).toMatchObject({ err: errors.workloadStopped.err })
    expect(await env.call('clusters.forward', { id: one.machine, port: 80 }, one)).toMatchObject({
      err: errors.workloadStopped.err,
    })
  })

  it('with the replaced secret of an API key, which would outlive it', async () => {
    const { person } = await sampleTenant(env)
    const { key } = (await env.call('apiKeys.create', { key_name: 'old', type: 'admin' }, person)).data
    await env.call('apiKeys.rotate', { key_name: 'old' }, person)
    expect((await env.call('clusters.session', {}, { token: key })).code).toBe(401)
    const { key: current } = (await env.call('apiKeys.rotate', { key_name: 'old' }, person)).data
    expect((await env.call('clusters.session', {}, { token: current })).code).toBe(0)
  })

  it('with a session of an API key from addresses that the key does not admit', async () => {
    const one = await sampleTenant(env)
    const by = await keyOf(one, { ips: ['127.0.0.1'] })
    const call = (ip: string) => env.call('clusters.workspaces', {}, { token: by.token, ip })
    expect((await call('127.0.0.1')).code).toBe(0)
    expect((await call('192.0.2.9')).code).toBe(401)
    const ticket = await execTicket(one, {}, by)
    await env.call('apiKeys.change', { key_name: 'k', ips: ['192.0.2.9'] }, one.person)
    expect(await connectWith(port, ticket).closed).toBe(TERMINAL_CLOSES.session)
    expect((await call('127.0.0.1')).code).toBe(401)
    expect((await call('192.0.2.9')).code).toBe(0)
  })

  it('for API keys without all permissions, or for folders only', async () => {
    const one = await sampleTenant(env)
    const { person } = one
    const folder = (await env.call('folders.create', { name: 'f' }, person)).data.group.ID
    for (const terms of [
      { type: 'normal', perms: ['readFile', 'createFile'] },
      { type: 'admin', folders: [folder] },
    ]) {
      const { key } = (await env.call('apiKeys.create', { key_name: `k${terms.type}`, ...terms } as never, person)).data
      expect(await env.call('clusters.session', {}, { token: key })).toMatchObject({ err: expect.any(Number) })
    }
  })
})
