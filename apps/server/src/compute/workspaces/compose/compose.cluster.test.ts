import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../../features.ts'
import { finishJobs } from '../../../platform/jobs/jobs.ts'
import type { TestEnv } from '../../../test-env.fixture.ts'
import { runScript, until } from '../../clusters/sample-workloads.fixture.ts'
import { debianEngine, envWith, ownerIn, treeOf } from '../debian-images.fixture.ts'
import type { Tenant } from '../sample-tenant.fixture.ts'

/** The services of a Compose file in real containers. Their image is a file system of Debian packages, because no registry is reached. */

const tree = treeOf('redis-server')
const { driver, close } = debianEngine(() => tree, { Env: ['PATH=/usr/bin:/bin'], Cmd: ['/bin/false'] })
const { state, facts } = await driver.probe()
const isReady = state === 'ready' && facts.network !== 'none' && tree !== ''

let env: TestEnv
let owner: Tenant
beforeAll(async () => {
  env = await envWith(driver)
  if (isReady) owner = await ownerIn(env)
})
afterAll(async () => {
  await env.close()
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
