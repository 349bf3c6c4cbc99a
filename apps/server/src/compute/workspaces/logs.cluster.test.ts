import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cosmosWallet, linkSample } from '../../identity/wallets/sample-wallets.fixture.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { sampleEngine } from '../clusters/engine/sample-engine.fixture.ts'
import { collectLog } from '../logs/collect.ts'
import { create } from './workspaces.ts'

/** Logs of programs on a real container engine. */

const { driver, close } = sampleEngine()
const { state } = await driver.probe()
if (state !== 'ready') await close()

let env: TestEnv
beforeAll(async () => {
  env = await setup()
  env.context.clusters = clustersOf([{ driver, regions: ['distributed', 'centralized'] }])
  env.context.config.clusters = { ...env.context.config.clusters, overcommit: 100 }
})
afterAll(async () => {
  await env.close()
  expect(await close()).toEqual([])
})

async function program(script: string) {
  const person = await env.person()
  await linkSample(env, cosmosWallet(), person.token)
  const size = { cpu: 2, ram: 2, storage: 3 }
  const space = randomUUID()
  await create(env.context, { workspaceId: space, userId: person.id, cluster: 'distributed', ...size })
  const { account, ticket } = (await env.call('clusters.ticket', {}, { token: person.token })).data
  const { token } = (await env.call('clusters.enter', { account, password: ticket })).data
  const id = `m-${space}`
  const ref = { workspace: space, workload: id }
  const run = await driver.exec(ref, { command: ['/bin/sh', '-c', `( ${script} ) >/proc/1/fd/1`], tty: false })
  run.stream.resume()
  const read = async (more: object = {}) =>
    (await env.call('clusters.logs', { id, lines: 5000, ...more }, { token })).data
  return { ref, read, exit: run.exit }
}

describe.skipIf(state !== 'ready')('with an engine', () => {
  it('every line is kept once, whatever is printed and however often it is collected', async () => {
    const { read, exit, ref } = await program('i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i; done')
    let over = false
    void exit.then(() => {
      over = true
    })
    while (!over) await Promise.all([collectLog(env.context, driver, ref), collectLog(env.context, driver, ref)])
    // The last line may be half written for a second.
    await expect.poll(async () => (await read({ lines: 1 })).lines[0]?.text, { timeout: 10_000 }).toBe('line 3000')
    expect((await read()).lines.map(({ text }: { text: string }) => text)).toEqual(
      Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`),
    )
  })

  it('a flood, lines of 1 MB and rubbish leave the memory flat and the log readable', { tags: ['long'] }, async () => {
    const flood = 'head -c 300000000 /dev/zero | tr "\\0" x | fold -w 200; head -c 1000000 /dev/zero | tr "\\0" y; echo'
    const { read, exit, ref } = await program(`${flood}; head -c 100000 /dev/urandom; echo; echo the end`)
    const before = process.memoryUsage().rss
    let most = 0
    let over = false
    void exit.then(() => {
      over = true
    })
    while (!over) {
      await collectLog(env.context, driver, ref)
      most = Math.max(most, process.memoryUsage().rss - before)
    }
    await expect.poll(async () => (await read({ lines: 1 })).lines[0]?.text, { timeout: 90_000 }).toBe('the end')
    expect(most).toBeLessThan(400e6)
  })
})
