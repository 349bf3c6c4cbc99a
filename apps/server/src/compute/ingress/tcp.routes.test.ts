import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { Tenant } from '../workspaces/sample-tenant.fixture.ts'
import { remove } from '../workspaces/workspaces.ts'
import { samplePrograms, settled } from './sample-programs.fixture.ts'

/** Programs that speak TCP at ports of the ingress. The programs greet with their name, and then send back what they get. */

let programs: Awaited<ReturnType<typeof samplePrograms>>
const servers: Server[] = []

beforeAll(async () => {
  // Three that are free now, of those that the system does not choose by itself.
  const from = 20_000 + (process.pid % 4000) * 3
  programs = await samplePrograms({ tcpPorts: { from, to: from + 2 } })
})
afterAll(async () => {
  await programs.close()
  for (const server of servers) server.close()
})

interface Place {
  tenant: Tenant
  id: string
  name: string
}

async function program(): Promise<Place> {
  const tenant = await programs.tenant()
  const { id, host } = await programs.program(tenant)
  const name = host.split(':')[0] as string
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    socket.write(`${name}\n`)
    socket.pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  const { port } = server.address() as AddressInfo
  programs.sample.control.listening.set(`${id}:80`, { host: '127.0.0.1', port })
  return { tenant, id, name }
}
const openTcp = ({ tenant, id }: Place) => programs.publish(tenant, id, { access: 'tcp' })
const portOf = async ({ tenant, id, name }: Place) => {
  const url = (await programs.workloadOf(tenant, id))?.ports[0]?.url ?? ''
  expect(url).toMatch(new RegExp(`^tcp://${name}:\\d+$`))
  return Number(url.split(':').at(-1))
}
/** A port of the ingress that carries TCP to the program. */
async function served() {
  const place = await program()
  expect((await openTcp(place)).code).toBe(0)
  const port = await portOf(place)
  expect(
    await settled(
      () => greeting(port),
      (text) => text === place.name,
    ),
  ).toBe(place.name)
  return { ...place, port }
}
const isClosed = (port: number) =>
  settled(
    () => greeting(port),
    (text) => text === undefined,
  )
const end = async ({ tenant }: Place) => remove(programs.env.context, tenant.space)

/** As if programs had ended so much earlier. */
const makeOlder = (hours: number) =>
  programs.env.db.run(sql`update tcp_ports set unused_at = unused_at - make_interval(hours => ${hours}::int)`)

/** The first line that a visitor gets; undefined: the port is closed. */
function greeting(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(undefined))
    socket.once('data', (data) => {
      resolve(String(data).split('\n')[0])
      socket.destroy()
    })
  })
}
const hold = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', reject)
    socket.once('data', () => resolve(socket))
  })

describe('a port of the ingress', () => {
  it('carries bytes both ways, and the end of each', async () => {
    const place = await served()
    const socket = await hold(place.port)
    let back = ''
    socket.on('data', (part) => {
      back += part
    })
    socket.end('x'.repeat(100_000))
    await new Promise((resolve) => socket.once('close', resolve))
    expect(back).toHaveLength(100_000)
    await end(place)
  })

  it('is not an address for browsers, until its owner says so', async () => {
    const place = await served()
    const visit = () => programs.visit(`${place.name}:8090`)
    expect((await visit()).status).toBe(404)
    await programs.publish(place.tenant, place.id)
    expect((await settled(visit, ({ status }) => status !== 404)).status).not.toBe(404)
    expect(await isClosed(place.port)).toBeUndefined()
    await end(place)
  })

  it('is closed while the program is stopped, with what was open, and the same afterwards', async () => {
    const place = await served()
    const socket = await hold(place.port)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await programs.env.call('clusters.stop', { id: place.id }, place.tenant)
    await closed
    expect(await isClosed(place.port)).toBeUndefined()
    await programs.env.call('clusters.start', { id: place.id }, place.tenant)
    expect(await portOf(place)).toBe(place.port)
    expect(
      await settled(
        () => greeting(place.port),
        (text) => text === place.name,
      ),
    ).toBe(place.name)
    await end(place)
  })

  it('goes to nobody else for 72 hours after the end of its program', async () => {
    // All that are left from other tests are free again.
    await programs.env.db.run(sql`delete from tcp_ports`)
    const first = await served()
    await end(first)
    expect(await isClosed(first.port)).toBeUndefined()
    await settled(
      () => programs.env.db.rows(sql`select 1 as found from tcp_ports where unused_at is not null`),
      ({ length }) => length === 1,
    )
    const others = [await served(), await served()]
    expect(others.map(({ port }) => port)).not.toContain(first.port)
    const late = await program()
    expect((await openTcp(late)).code).not.toBe(0)
    await makeOlder(71)
    expect((await openTcp(late)).code).not.toBe(0)
    await makeOlder(2)
    expect((await openTcp(late)).code).toBe(0)
    expect(await portOf(late)).toBe(first.port)
    for (const place of [...others, late]) await end(place)
  })

  it('is given to one program, also if several ask at the same moment', async () => {
    await programs.env.db.run(sql`delete from tcp_ports`)
    const places = await Promise.all(Array.from({ length: 5 }, program))
    const codes = (await Promise.all(places.map(openTcp))).map(({ code }) => code)
    expect(codes.filter((code) => code === 0)).toHaveLength(3)
    const { rows } = await programs.env.db.pool.query('select distinct number from tcp_ports')
    expect(rows).toHaveLength(3)
    for (const place of places) await end(place)
  })
})

describe('refused are', () => {
  it('more than 256 connections of one client', async () => {
    await programs.env.db.run(sql`delete from tcp_ports`)
    const place = await served()
    const sockets = Array.from({ length: 280 }, () => connect(place.port, '127.0.0.1'))
    const greeted = await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<boolean>((resolve) => {
            socket.on('error', () => resolve(false))
            socket.once('close', () => resolve(false))
            socket.once('data', () => resolve(true))
          }),
      ),
    )
    // The ingress may not have seen the end of the greeting yet.
    expect(greeted.filter(Boolean).length).toBeLessThanOrEqual(256)
    expect(greeted.filter(Boolean).length).toBeGreaterThan(250)
    for (const socket of sockets) socket.destroy()
    expect(
      await settled(
        () => greeting(place.port),
        (text) => text === place.name,
      ),
    ).toBe(place.name)
    await end(place)
  })

  it('ports that the program does not have, and programs of others', async () => {
    const [one, other] = [await program(), await programs.tenant()]
    const codeOf = async (by: Tenant, port: number) =>
      (await programs.env.call('clusters.publish', { id: one.id, port, access: 'tcp' }, by)).code
    expect(await codeOf(other, 80)).toBe(-1)
    expect(await codeOf(one.tenant, 81)).toBe(-1)
  })

  it('more than ten ports of one account, while others still get one', async () => {
    await programs.env.db.run(sql`delete from tcp_ports`)
    const [one, other] = [await program(), await program()]
    await programs.env.db.run(sql`
      insert into tcp_ports (number, workload_id, port, taken_at)
      select 100 + n, ${one.id}, 1000 + n, now() from generate_series(1, 10) n`)
    expect((await openTcp(one)).code).not.toBe(0)
    expect((await openTcp(other)).code).toBe(0)
    await programs.env.db.run(sql`delete from tcp_ports`)
  })

  it('all of them on a network without such ports', async () => {
    const one = await program()
    const { config } = programs.env.context
    programs.env.context.config = { ...config, ingress: { ...config.ingress, tcpPorts: undefined } }
    expect((await openTcp(one)).code).toBe(-1)
    programs.env.context.config = config
  })
})
