import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { features } from '../../../features.ts'
import { finishJobs } from '../../../platform/jobs/jobs.ts'
import { setup, type TestEnv } from '../../../test-env.fixture.ts'
import { clustersOf } from '../../clusters/clusters.ts'
import { sampleClusters, sampleTenant, shrinkMachine, type Tenant } from '../sample-tenant.fixture.ts'

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
let owner: Tenant
beforeAll(async () => {
  env = await setup()
})
beforeEach(async () => {
  sample = sampleClusters(env)
  owner = await sampleTenant(env)
  await shrinkMachine(env, owner)
})
afterAll(() => env.close())

const LIMITS = 'deploy: {resources: {limits: {cpus: 0.2, memory: 128M}}}'
const FILE = `
services:
  web:
    image: ghcr.io/shop/web:$TAG
    command: serve
    ports: ['80:8080']
    depends_on: [db]
    user: nobody
    ${LIMITS}
  db:
    image: postgres:17
    environment: {POSTGRES_PASSWORD: secret word}
    volumes: [data:/srv/db]
    restart: always
    ${LIMITS}
volumes: {data: }
`
const compose = (more: Record<string, unknown> = {}, by: Pick<Tenant, 'token'> = owner) =>
  env.call('clusters.compose', { workspace: owner.space, text: FILE, variables: { TAG: '3' }, ...more }, by)
const names = async () =>
  (await env.call('clusters.workspaces', {}, owner)).data.list[0]?.workloads.map(({ name }) => name).sort()

describe('a Compose file', () => {
  it('is shown as programs before anything is created', async () => {
    const { data } = await compose({ preview: true })
    expect(data).toMatchObject({ refused: [], variables: ['TAG'], ids: [] })
    expect(data.programs).toMatchObject([
      {
        name: 'db',
        env: ['POSTGRES_PASSWORD'],
        paths: ['/srv/db'],
        restart: 'always',
        cpu: 0.2,
        memory: 128,
        storage: 2,
      },
      { name: 'web', image: 'ghcr.io/shop/web:3', ports: [8080], after: ['db'], user: 'nobody' },
    ])
    expect(JSON.stringify(data)).not.toContain('secret word')
    expect(await names()).toEqual(['machine'])
  })

  it('creates all programs in one step, which run as it says', async () => {
    const { data } = await compose()
    await finishJobs(env.context, features)
    expect(await names()).toEqual(['db', 'machine', 'web'])
    const [db, web] = data.ids.map((id) => sample.workloads.get(id)?.spec)
    expect(db).toMatchObject({
      image: 'docker.io/library/postgres:17',
      env: { POSTGRES_PASSWORD: 'secret word' },
      options: { paths: ['/srv/db'] },
    })
    expect(web).toMatchObject({ image: 'ghcr.io/shop/web:3', command: ['serve'], options: { user: 'nobody' } })
    expect((await env.call('clusters.history', { id: data.ids[0] ?? '' }, owner)).data.list).toHaveLength(1)
  })

  it('with anything that is refused creates nothing, and says all of it before', async () => {
    const text = FILE.replace('command: serve', 'privileged: true\n    network_mode: host')
    const { data } = await compose({ text, preview: true })
    expect(data.refused.map(({ path }) => path)).toEqual(['services.web.privileged', 'services.web.network_mode'])
    expect(await compose({ text })).toMatchObject({ code: -1, err: 1001 })
    expect(await names()).toEqual(['machine'])
  })

  it.each([
    ['a registry that is not open', FILE.replace('ghcr.io', 'registry.internal:5000'), 'services.web.image', 'image'],
    ['the name of another program', FILE.replaceAll('db', 'machine'), 'services.machine', 'taken'],
    ['more than the workspace has', FILE.replace('cpus: 0.2', 'cpus: 30'), 'services.web', 'full'],
    ['a variable without a value', FILE.replace('$TAG', '$OTHER'), 'services.web.image', 'variable'],
  ])('with %s is refused in the preview, and creates nothing', async (_, text, path, reason) => {
    expect((await compose({ text, preview: true })).data.refused).toMatchObject([{ path, reason }])
    expect(await compose({ text })).toMatchObject({ code: -1 })
    expect(await names()).toEqual(['machine'])
  })

  it('names what does not fit: what it asks for, and what the programs before it leave', async () => {
    const [space] = (await env.call('clusters.workspaces', {}, owner)).data.list
    const free = space?.free ?? { cpu: 0, memory: 0, storage: 0 }
    const text = FILE.replace('cpus: 0.2', `cpus: ${free.cpu}`)
    const { refused } = (await compose({ text, preview: true })).data
    const left = { cpu: free.cpu - 0.2, memory: free.memory - 128, storage: free.storage - 2 }
    expect(refused).toMatchObject([
      { path: 'services.web', reason: 'full', size: { asked: { cpu: free.cpu, memory: 128, storage: 2 }, left } },
    ])
    const others = (await compose({ text: FILE.replace('$TAG', '$OTHER'), preview: true })).data.refused
    expect(others).toMatchObject([{ reason: 'variable', size: null }])
  })

  it('that two send at once creates its programs once', async () => {
    const answers = await Promise.all([compose(), compose()])
    expect(answers.map(({ code }) => code).sort()).toEqual([-1, 0])
    expect(await names()).toEqual(['db', 'machine', 'web'])
  })

  it('is refused for checks where the cluster makes none', async () => {
    const { ended: _, ...driver } = sample.driver
    env.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
    const text = FILE.replace('restart: always', 'restart: "no"')
    const { refused } = (await compose({ text, preview: true })).data
    expect(refused.map(({ path }) => path)).toEqual(['services.db.restart', 'services.web.user'])
  })

  it('is refused to strangers, in workspaces of others, and without a file', async () => {
    const stranger = await sampleTenant(env)
    for (const preview of [true, false]) {
      expect(await compose({ preview }, stranger)).toMatchObject({ code: -1 })
      expect(await compose({ preview, text: '' })).toMatchObject({ code: -1, err: 1001 })
      expect(await compose({ preview, file: { key: 'tnk_none', file: 'compose.yaml' } })).toMatchObject({ code: -1 })
    }
    expect(await names()).toEqual(['machine'])
  })
})
