import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bytesOf,
  file,
  layoutFiles,
  tar,
} from '../../apps/server/src/compute/clusters/archives/sample-archives.fixture.ts'
import { clustersOf } from '../../apps/server/src/compute/clusters/clusters.ts'
import { busyboxRootfs } from '../../apps/server/src/compute/clusters/engine/rootfs.ts'
import { sampleEngine } from '../../apps/server/src/compute/clusters/engine/sample-engine.fixture.ts'
import { runScript, untilRunning } from '../../apps/server/src/compute/clusters/sample-workloads.fixture.ts'
import {
  deploySample,
  sampleTenant,
  shrinkMachine,
} from '../../apps/server/src/compute/workspaces/sample-tenant.fixture.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { hostileNode } from '../attacks/hostile-node.ts'

/** An image that is a folder of the storage, in a real engine. Its files come from a node that this test is. */

const { driver, close } = sampleEngine()
const rootfs = busyboxRootfs()
const { state } = await driver.probe()
const isReady = state === 'ready' && rootfs !== undefined
const base = rootfs && (await bytesOf(rootfs))

let env: TestEnv
let node: Awaited<ReturnType<typeof hostileNode>>
const served = new Map<string, Buffer>()
beforeAll(async () => {
  env = await setup()
  env.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
  // The test folder may be in memory, with little room.
  env.context.config = { ...env.context.config, clusters: { ...env.context.config.clusters, overcommit: 100 } }
  node = await hostileNode(env, { kind: 'candidate', join_token: 'join' })
  await node.listen((request, response) => {
    const found = [...served].find(([cid]) => request.url?.includes(cid))
    if (found) response.end(found[1])
    return found !== undefined
  })
  await env.db.pool.query('update nodes set reachable = true')
})
afterAll(async () => {
  await node.close()
  expect(await close()).toEqual([])
  await env.close()
})

describe.skipIf(!isReady)('a folder of the storage that is an image', () => {
  it('runs in the engine, without a registry', async () => {
    const one = await sampleTenant(env)
    await shrinkMachine(env, one)
    const { token } = one.person
    const folderIn = async (parent: number, name: string) =>
      (await env.call('folders.create', { name, parent }, { token })).data.group.ID
    const image = await folderIn(0, 'image')
    const blobs = await folderIn(await folderIn(image, 'blobs'), 'sha256')
    const config = { Cmd: ['/bin/sh', '-c', 'trap "exit 0" TERM; while :; do sleep 1; done'], Env: ['FROM_IMAGE=yes'] }
    const layers = [base as Buffer, await tar([file('greeting', 'hello\n')])]
    for (const [path, bytes] of layoutFiles({ layers, config, gzip: true })) {
      const folder = path.startsWith('blobs/') ? blobs : image
      const name = path.split('/').at(-1) ?? ''
      const more = { folder, name, bytes, size: bytes.length, nodes: [node], at: new Date(env.clock.now()) }
      served.set((await sampleFile(env.db, one.person.id, more)).cid, bytes)
    }
    const { key } = (await env.call('apiKeys.create', { key_name: randomUUID(), group_id: image }, { token })).data
    const { data } = await deploySample(env, one, { cpu: 0.2, memory: 64, storage: 1, archive: { key, file: '.' } })
    const ref = { workspace: one.space, workload: data.id }
    await untilRunning(driver, ref)
    expect((await runScript(driver, ref, 'cat /greeting; echo $FROM_IMAGE')).output).toBe('hello\nyes')
    await driver.removeWorkspace(one.space)
  })
})
