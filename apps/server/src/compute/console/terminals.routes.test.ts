import type { AddressInfo } from 'node:net'
import { TERMINAL_CLOSES } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { place } from '../../identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleClusters, sampleTenant, type Tenant } from '../workspaces/sample-tenant.fixture.ts'
import { openTerminal } from './sample-terminal.fixture.ts'

/** Terminals end with their sessions. */

let env: TestEnv
let port = 0
beforeAll(async () => {
  env = await setup()
  sampleClusters(env)
  await env.app.listen({ host: '127.0.0.1', port: 0 })
  port = (env.app.server.address() as AddressInfo).port
})
afterAll(() => env.close())

/** Opens a terminal and waits for its first output. */
async function terminal({ machine, token }: Pick<Tenant, 'machine' | 'token'>) {
  const opened = openTerminal(port, machine, token)
  await opened.opened
  opened.type('a')
  await opened.shows('a')
  return opened
}

describe('a terminal ends', () => {
  it('when a changed password ends its sessions, while those of others stay', async () => {
    const [one, other] = [await sampleTenant(env), await sampleTenant(env)]
    const { token } = (await env.call('clusters.enter', { account: one.account, password: one.password }, place())).data
    const [first, second, theirs] = [await terminal(one), await terminal({ ...one, token }), await terminal(other)]
    await env.call('clusters.resetPassword', {}, { token: one.person.token })
    expect(await first.closed).toBe(TERMINAL_CLOSES.session)
    expect(await second.closed).toBe(TERMINAL_CLOSES.session)
    expect(theirs.isOpen()).toBe(true)
    theirs.socket.terminate()
  })

  it('when the API key of its session is for other addresses, and opens no more from here', async () => {
    const one = await sampleTenant(env)
    const { key } = (await env.call('apiKeys.create', { key_name: 'k', type: 'admin', ips: ['127.0.0.1'] }, one.person))
      .data
    const { token } = (await env.call('clusters.session', {}, { token: key })).data
    const open = await terminal({ ...one, token })
    await env.call('apiKeys.change', { key_name: 'k', ips: ['192.0.2.9'] }, one.person)
    expect(await open.closed).toBe(TERMINAL_CLOSES.session)
    expect(await openTerminal(port, one.machine, token).closed).toBe(TERMINAL_CLOSES.session)
  })

  it('when its session signs out, while another session stays', async () => {
    const one = await sampleTenant(env)
    const { token } = (await env.call('clusters.enter', { account: one.account, password: one.password }, place())).data
    const [ended, open] = [await terminal(one), await terminal({ ...one, token })]
    await env.call('clusters.leave', {}, one)
    expect(await ended.closed).toBe(TERMINAL_CLOSES.session)
    expect(open.isOpen()).toBe(true)
    open.socket.terminate()
  })

  it('when another server ends the session or the account is locked', async () => {
    const [one, locked] = [await sampleTenant(env), await sampleTenant(env)]
    const [first, second] = [await terminal(one), await terminal(locked)]
    await env.db.run(sql`delete from console_sessions where user_id = ${one.person.id}`)
    await env.db.run(sql`update users set locked_at = ${new Date(env.clock.now())} where id = ${locked.person.id}`)
    expect(await first.closed).toBe(TERMINAL_CLOSES.session)
    expect(await second.closed).toBe(TERMINAL_CLOSES.session)
  })

  it('when the server stops, which does not wait for it', async () => {
    const stopping = await setup()
    sampleClusters(stopping)
    await stopping.app.listen({ host: '127.0.0.1', port: 0 })
    const { machine, token } = await sampleTenant(stopping)
    const open = openTerminal((stopping.app.server.address() as AddressInfo).port, machine, token)
    await open.opened
    open.type('a')
    await open.shows('a')
    await stopping.close()
    expect(await open.closed).toBeGreaterThan(1000)
  })

  it('also if the client does not close the connection', async () => {
    const one = await sampleTenant(env)
    const unresponsive = await terminal(one)
    // A paused socket does not receive the close frame.
    unresponsive.socket.pause()
    const rows = async () =>
      (await env.db.rows(sql`select 1 from console_sessions where user_id = ${one.person.id}`)).length
    await env.call('clusters.resetPassword', {}, { token: one.person.token })
    expect(await rows()).toBe(0)
    const connections = () =>
      new Promise<number>((resolve) => env.app.server.getConnections((_, count) => resolve(count)))
    await expect.poll(connections, { timeout: 10_000 }).toBe(0)
    unresponsive.socket.terminate()
  })
})
