import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../../features.ts'
import { finishJobs } from '../../../platform/jobs/jobs.ts'
import { setup, type TestEnv } from '../../../test-env.fixture.ts'
import { openArchive } from '../../clusters/archives/open-archive.ts'
import { ociArchive } from '../../clusters/archives/sample-archives.fixture.ts'
import { clustersOf } from '../../clusters/clusters.ts'
import type { ClusterDriver, WorkloadSpec } from '../../clusters/driver.ts'
import { sampleEngine } from '../../clusters/engine/sample-engine.fixture.ts'
import { runScript, until } from '../../clusters/sample-workloads.fixture.ts'
import { sampleTenant, shrinkMachine, type Tenant } from '../sample-tenant.fixture.ts'

/** The services of a Compose file in real containers. Their image is a file system of Debian packages, because no registry is reached. */

const { driver: engine, close } = sampleEngine({ publish: '' })
const { state, facts } = await engine.probe()
const tree = spawnSync(process.execPath, ['tools/clusters/debian-tree.mjs', 'redis-server'], { encoding: 'utf8' })
const isReady = state === 'ready' && facts.network !== 'none' && tree.status === 0
const folder = mkdtempSync(join(tmpdir(), 'tidenet-compose-'))

async function* image() {
  const config = { Env: ['PATH=/usr/bin:/bin'], Cmd: ['/bin/false'] }
  yield await ociArchive({ layers: [readFileSync(tree.stdout.trim())], config, gzip: false })
}
const substituted = (spec: WorkloadSpec): WorkloadSpec =>
  spec.image ? { ...spec, archive: () => openArchive(folder, image(), 1024 ** 3) } : spec
const driver: ClusterDriver = {
  ...engine,
  deploy: (workspace, spec) => engine.deploy(workspace, substituted(spec)),
  resize: (workspace, spec) => engine.resize(workspace, substituted(spec)),
}

let env: TestEnv
let owner: Tenant
beforeAll(async () => {
  env = await setup()
  env.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
  // The test folder may be in memory, with little room.
  env.context.config = { ...env.context.config, clusters: { ...env.context.config.clusters, overcommit: 100 } }
  if (!isReady) return
  owner = await sampleTenant(env)
  await shrinkMachine(env, owner)
})
afterAll(async () => {
  await env.close()
  rmSync(folder, { recursive: true })
  expect(await close()).toEqual([])
})

const FILE = `
services:
  client:
    image: redis:8
    entrypoint: [/bin/sh, -c]
    command: ['id -u > /srv/out/user; until redis-cli -h store -a "$$PASSWORD" SET tide high > /srv/out/answer; do sleep 1; done; exec sleep 300']
    environment: { PASSWORD: $SECRET }
    volumes: [out:/srv/out]
    user: 65534:65534
    depends_on: [store]
    deploy: { resources: { limits: { cpus: 0.2, memory: 128M } } }
  store:
    image: redis:8
    command: redis-server --requirepass $SECRET --protected-mode no --dir /srv/store --appendonly yes
    volumes: [store:/srv/store]
    ports: [6379]
    healthcheck: { test: nc -z localhost 6379 }
    deploy: { resources: { limits: { cpus: 0.2, memory: 128M } } }
volumes: { out: , store: }
`

describe.skipIf(!isReady)('the services of a Compose file', () => {
  it('run, reach each other by name, and keep what is in their volumes', async () => {
    const { data } = await env.call(
      'clusters.compose',
      { workspace: owner.space, text: FILE, variables: { SECRET: 'word' } },
      owner,
    )
    const [store, client] = data.ids.map((workload) => ({ workspace: owner.space, workload }))
    if (!store || !client) throw new Error('nothing was created')
    await finishJobs(env.context, features)
    const read = async (ref: typeof store, script: string) => (await runScript(driver, ref, script)).output
    await until(async () => (await read(client, 'cat /srv/out/answer')) === 'OK')
    expect(await read(client, 'cat /srv/out/user')).toBe('65534')
    for (const operation of ['clusters.stop', 'clusters.start'] as const) {
      await env.call(operation, { id: store.workload }, owner)
      await finishJobs(env.context, features)
    }
    await until(async () => (await read(store, 'redis-cli --no-auth-warning -a word GET tide')) === 'high')
    expect(await read(store, 'ls /srv/store')).toContain('appendonly')
  })
})
