import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { TERMINAL_CLOSES } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cosmosWallet, linkSample } from '../../identity/wallets/sample-wallets.fixture.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { sampleEngine } from '../clusters/engine/sample-engine.fixture.ts'
import { create, remove, resize, restore, suspend } from '../workspaces/workspaces.ts'
import { openTerminal } from './sample-terminal.fixture.ts'

/** From an order to a terminal, on a real container engine. */

const { driver, close } = sampleEngine()
const { state } = await driver.probe()
// `afterAll` does not run if all tests are skipped.
if (state !== 'ready') await close()

let env: TestEnv
let port = 0
beforeAll(async () => {
  env = await setup()
  env.context.clusters = clustersOf([{ driver, regions: ['distributed', 'centralized'] }])
  env.context.config.clusters = { ...env.context.config.clusters, overcommit: 100 }
  await env.app.listen({ host: '127.0.0.1', port: 0 })
  port = (env.app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await env.close()
  expect(await close()).toEqual([])
})

const terminal = (workload: string, token: string, origin?: string) => openTerminal(port, workload, token, origin)

async function tenant() {
  const person = await env.person()
  await linkSample(env, cosmosWallet(), person.token)
  const order = {
    workspaceId: randomUUID(),
    userId: person.id,
    cluster: 'distributed',
    cpu: 1,
    ram: 1,
    storage: 1,
  } as const
  await create(env.context, order)
  const { account, ticket } = (await env.call('clusters.ticket', {}, { token: person.token })).data
  const { token } = (await env.call('clusters.enter', { account, password: ticket })).data
  return { person, order, token, machine: `m-${order.workspaceId}` }
}

describe.skipIf(state !== 'ready')('with an engine', { concurrent: true }, () => {
  it('an order gets a workspace with a terminal', async () => {
    const one = await tenant()
    const { list } = (await env.call('clusters.workspaces', {}, one)).data
    expect(list[0]?.workloads[0]).toMatchObject({ name: 'machine', state: 'running', cpu: 0.7, memory: 768 })
    const shell = terminal(one.machine, one.token)
    await shell.opened
    shell.type('echo here-$((40 + 2)); stty size\n')
    await shell.shows('here-42')
    await shell.shows('30 90')
    shell.size(120, 40)
    // An engine may take a while to pass the new size on.
    shell.type('until stty size | grep "40 12[0]"; do sleep 0.1; done\n')
    await shell.shows('40 120')
    shell.type('exit 5\n')
    expect(await shell.closed).toBe(1000)
    expect(shell.code()).toBe(5)
  })

  it('a flood of output is complete although the browser pauses', async () => {
    const one = await tenant()
    const shell = terminal(one.machine, one.token)
    await shell.opened
    shell.type('head -c 20000000 /dev/zero | tr "\\0" x | fold -w 100; echo; echo the-"end"\n')
    shell.socket.pause()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    shell.socket.resume()
    for (const end = Date.now() + 60_000; !shell.output().includes('the-end') && Date.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 50))
    expect(shell.output().match(/x{100}/g)?.length).toBe(200_000)
    shell.socket.close()
  })

  it('closing a terminal ends its programs', async () => {
    const one = await tenant()
    const shell = terminal(one.machine, one.token)
    await shell.opened
    shell.type('sleep 4242\n')
    const second = terminal(one.machine, one.token)
    await second.opened
    // Starting and ending take a moment.
    const counts = async (programs: string) => {
      for (let look = 0; look < 100 && !second.output().includes(programs); look++) {
        second.type('ps | grep -c "[s]leep 4242" | sed "s/^/count-/"\n')
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      expect(second.output()).toContain(programs)
    }
    await counts('count-1')
    shell.socket.close()
    await counts('count-0')
    second.socket.close()
  })

  it('an expired and renewed order keeps its data', { tags: ['long'] }, async () => {
    const one = await tenant()
    const shell = terminal(one.machine, one.token)
    await shell.opened
    shell.type('echo kept > /data/kept; sync; echo writ"ten"\n')
    await shell.shows('written')
    await suspend(env.context, one.order.workspaceId)
    await restore(env.context, one.order)
    await resize(env.context, { ...one.order, storage: 2 })
    const again = terminal(one.machine, one.token)
    await again.opened
    again.type('cat /data/kept\n')
    await again.shows(/\r\nkept/)
    await remove(env.context, one.order.workspaceId)
    expect(await driver.listWorkspaces()).not.toContain(one.order.workspaceId)
  })

  describe('no terminal', () => {
    it('for strangers, without a session, or from another origin', async () => {
      const [one, stranger] = [await tenant(), await tenant()]
      expect(await terminal(one.machine, stranger.token).closed).toBe(TERMINAL_CLOSES.unknown)
      expect(await terminal(one.machine, 'tnc_nothing').closed).toBe(TERMINAL_CLOSES.session)
      expect(await terminal(one.machine, one.person.token).closed).toBe(TERMINAL_CLOSES.session)
      expect(await terminal(one.machine, one.token, 'http://evil.example').closed).toBe(-1)
    })

    it('of a stopped workload', async () => {
      const one = await tenant()
      await driver.stop({ workspace: one.order.workspaceId, workload: one.machine })
      expect(await terminal(one.machine, one.token).closed).toBe(TERMINAL_CLOSES.stopped)
    })

    it('beyond the limit per account', async () => {
      const one = await tenant()
      const open = Array.from({ length: 9 }, () => terminal(one.machine, one.token))
      const first = await Promise.race(open.map(({ closed }) => closed))
      expect(first).toBe(TERMINAL_CLOSES.tooMany)
      for (const { socket } of open) socket.close()
    })
  })
})
