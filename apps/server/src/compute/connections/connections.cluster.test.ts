import type { AddressInfo } from 'node:net'
import { TERMINAL_CLOSES } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { sampleEngine } from '../clusters/engine/sample-engine.fixture.ts'
import { until } from '../clusters/sample-workloads.fixture.ts'
import { deploySample, sampleTenant, shrinkMachine, type Tenant } from '../workspaces/sample-tenant.fixture.ts'
import { suspend } from '../workspaces/workspaces.ts'
import { connectWith, runWith } from './sample-connection.fixture.ts'

/** Commands and forwarded ports, on a real container engine. */

const { driver, close } = sampleEngine({ publish: '' })
const { state, facts } = await driver.probe()
const hasNetwork = state === 'ready' && facts.network !== 'none'
if (!hasNetwork) await close()

let env: TestEnv
let port = 0
beforeAll(async () => {
  env = await setup()
  env.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
  const clusters = { ...env.context.config.clusters, overcommit: 100 }
  env.context.config = { ...env.context.config, clusters }
  await env.app.listen({ host: '127.0.0.1', port: 0 })
  port = (env.app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await env.close()
  if (hasNetwork) expect(await close()).toEqual([])
})

async function tenantWith(command: string[], ports: number[] = []) {
  const tenant = await sampleTenant(env)
  await shrinkMachine(env, tenant)
  const { id } = (await deploySample(env, tenant, { command, ports })).data
  return { tenant, id }
}

async function run({ tenant, id }: { tenant: Tenant; id: string }, command: string[], more = {}) {
  const { ticket } = (await env.call('clusters.exec', { id, command, ...more }, tenant)).data
  const started = runWith(port, ticket)
  await started.opened
  return started
}

const idle = ['/bin/sh', '-c', 'exec sleep 3600']

describe.skipIf(!hasNetwork)('in a container', () => {
  it('a command has input, outputs and an exit code of its own', async () => {
    const one = await tenantWith(idle)
    const command = await run(one, ['/bin/sh', '-c', 'echo to-errors >&2; wc -c; exit 9'])
    for (let piece = 0; piece < 40; piece++) command.type(Buffer.alloc(100_000))
    command.end()
    expect(await command.closed).toBe(1000)
    expect(command.seen).toMatchObject({ output: '4000000\n', errors: 'to-errors\n', code: 9 })
    const shell = await run(one, ['/bin/sh'], { tty: true, columns: 90, rows: 30 })
    shell.type('stty size\n')
    await until(async () => shell.seen.output.includes('30 90'))
    shell.size(120, 40)
    shell.type('until stty size | grep "40 12[0]"; do sleep 0.1; done; exit 4\n')
    expect(await shell.closed).toBe(1000)
    expect(shell.seen.code).toBe(4)
  })

  it('a command gets signals, and ends with its connection', async () => {
    const one = await tenantWith(idle)
    const trap = await run(one, [
      '/bin/sh',
      '-c',
      'trap "echo caught; exit 5" INT; echo ready; while :; do sleep 0.1; done',
    ])
    await until(async () => trap.seen.output.includes('ready'))
    trap.signal(2)
    expect(await trap.closed).toBe(1000)
    expect(trap.seen).toMatchObject({ output: 'ready\ncaught\n', code: 5 })
    const left = await run(one, ['/bin/sh', '-c', 'echo ready; sleep 4242'])
    await until(async () => left.seen.output.includes('ready'))
    left.socket.close()
    await until(async () => {
      const look = await run(one, ['/bin/sh', '-c', 'ps | grep -c "[s]leep 4242"'])
      await look.closed
      return look.seen.output === '0\n'
    })
  })

  it('a command that does not exist says so', async () => {
    const one = await tenantWith(idle)
    const missing = await run(one, ['no-such-command'])
    expect(await missing.closed).toBe(1000)
    expect(missing.seen.code).toBe(127)
  })

  it('a forwarded port answers like the program, and ends with the order', async () => {
    const one = await tenantWith([
      '/bin/sh',
      '-c',
      'head -c 50000000 /dev/zero > /data/big; exec busybox httpd -f -p 80 -h /data',
    ])
    const get = async (path: string) => {
      const { ticket } = (await env.call('clusters.forward', { id: one.id, port: 80 }, one.tenant)).data
      const { socket, opened, closed } = connectWith(port, ticket)
      let bytes = 0
      socket.on('message', (part: Buffer) => {
        bytes += part.length
        // The program closes its side; so do we.
        if (part.length === 0) socket.send(Buffer.alloc(0))
      })
      await opened
      socket.send(Buffer.from(`GET ${path} HTTP/1.0\r\n\r\n`))
      return { code: await closed, bytes }
    }
    await until(async () => (await get('/big')).bytes > 50_000_000)
    expect((await get('/big')).code).toBe(1000)
    const { ticket } = (await env.call('clusters.forward', { id: one.id, port: 80 }, one.tenant)).data
    const open = connectWith(port, ticket)
    await open.opened
    const command = await run(one, ['/bin/sh', '-c', 'echo ready; sleep 4242'])
    await until(async () => command.seen.output.includes('ready'))
    await suspend(env.context, one.tenant.space)
    // Either the check or the end of the container comes first.
    expect(await open.closed).not.toBe(1005)
    await command.closed
    expect([TERMINAL_CLOSES.stopped, 1000]).toContain(await command.closed)
  })
})
