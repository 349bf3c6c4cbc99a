import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { now } from '../context.ts'
import type { Tenant } from '../workspaces/sample-tenant.fixture.ts'
import { remove, suspend } from '../workspaces/workspaces.ts'
import { pathOf, samplePrograms } from './sample-programs.fixture.ts'
import { type Held, holdSocket, holdStream, visitorOf } from './visitor.fixture.ts'

/** For how long visitors keep what they have open: until their access ends. Programs stream without end. */

let programs: Awaited<ReturnType<typeof samplePrograms>>

beforeAll(async () => {
  programs = await samplePrograms()
})
afterAll(() => programs.close())

const serve: RequestListener = (request, response) => {
  request.resume()
  response.write('first')
}
const DOMAIN = 'shop.example.org'

interface Place {
  tenant: Tenant
  id: string
  host: string
}

/** A program for everybody. */
async function open(): Promise<Place> {
  const tenant = await programs.tenant()
  const { id, host } = await programs.program(tenant, { serve })
  await programs.publish(tenant, id)
  return { tenant, id, host }
}

const own = ({ tenant, id }: Place, more: object) => programs.publish(tenant, id, more)

/** A pass of the account, from the console. */
async function passOf({ tenant, host }: Place): Promise<{ cookie: string }> {
  const { url } = (await programs.env.call('clusters.open', { host }, tenant)).data
  const { headers } = await visitorOf(programs.ingress.port)(host, pathOf(url))
  return { cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '' }
}

const endings: [string, (place: Place) => Promise<unknown>][] = [
  ['its owner stops the program', ({ tenant, id }) => programs.env.call('clusters.stop', { id }, tenant)],
  ['its owner removes the program', ({ tenant, id }) => programs.env.call('clusters.remove', { id }, tenant)],
  ['the order has expired', ({ tenant }) => suspend(programs.env.context, tenant.space)],
  ['the order has ended', ({ tenant }) => remove(programs.env.context, tenant.space)],
  ['the address is for its account now', (place) => own(place, { access: 'account' })],
  ['the address has a password now', (place) => own(place, { access: 'password', password: 'open sesame' })],
  ['the address is closed', (place) => own(place, { access: 'none' })],
  [
    'the account is locked',
    ({ tenant }) =>
      programs.env.db.run(
        sql`update users set locked_at = ${now(programs.env.context)} where id = ${tenant.person.id}`,
      ),
  ],
]

describe('what visitors have open', () => {
  it.each(endings)('ends when %s, and that of others goes on', async (_, end) => {
    const [place, other] = [await open(), await open()]
    const { port } = programs.ingress
    const mine: Held[] = [await holdStream(port, place.host), await holdSocket(port, place.host)]
    const theirs: Held[] = [await holdStream(port, other.host), await holdSocket(port, other.host)]
    await end(place)
    expect(await Promise.all(mine.map((each) => each.end))).toEqual(['cut', 'cut'])
    expect(theirs.map((each) => each.hasEnded())).toEqual([false, false])
    for (const each of theirs) each.close()
  })

  it('ends at a domain that its owner removes, and goes on at the address', async () => {
    const place = await open()
    const at = now(programs.env.context)
    await programs.env.db.run(sql`
      insert into workload_domains (domain, workload_id, port, added_at, proven_at, next_check_at)
      values (${DOMAIN}, ${place.id}, 80, ${at}, ${at}, ${at})`)
    const [gone, stays] = [
      await holdStream(programs.ingress.port, DOMAIN),
      await holdStream(programs.ingress.port, place.host),
    ]
    await programs.env.call('clusters.removeDomain', { id: place.id, domain: DOMAIN }, place.tenant)
    expect(await gone.end).toBe('cut')
    expect(stays.hasEnded()).toBe(false)
    stays.close()
  })

  it('ends when the API key of the session that let its visitor in is for other addresses', async () => {
    const place = await open()
    await own(place, { access: 'account' })
    const { env, ingress } = programs
    const { person } = place.tenant
    const { key } = (await env.call('apiKeys.create', { key_name: 'k', type: 'admin', ips: ['127.0.0.1'] }, person))
      .data
    const { token } = (await env.call('clusters.session', {}, { token: key })).data
    const pass = await passOf({ ...place, tenant: { ...place.tenant, token } })
    const held = await holdSocket(ingress.port, place.host, pass)
    await env.call('apiKeys.change', { key_name: 'k', ips: ['192.0.2.9'] }, person)
    expect(await held.end).toBe('cut')
    expect((await visitorOf(ingress.port)(place.host, '/', { headers: pass })).status).toBe(401)
  })

  it('ends with the session that let its visitor in, and goes on for other sessions', async () => {
    const place = await open()
    await own(place, { access: 'account' })
    const { port } = programs.ingress
    const gone = await holdSocket(port, place.host, await passOf(place))
    const again = await programs.env.call('clusters.enter', {
      account: place.tenant.account,
      password: place.tenant.password,
    })
    const stays = await holdSocket(
      port,
      place.host,
      await passOf({ ...place, tenant: { ...place.tenant, token: again.data.token } }),
    )
    await programs.env.call('clusters.leave', {}, place.tenant)
    expect(await gone.end).toBe('cut')
    expect(stays.hasEnded()).toBe(false)
    stays.close()
  })
})
