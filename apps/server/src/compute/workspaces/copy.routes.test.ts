import { randomUUID } from 'node:crypto'
import { errors, FOLDER_FILES_MAX } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { sampleFiles } from '../../storage/assets/sample-files.fixture.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { reconcileWorkload } from './reconcile.ts'
import { sampleClusters, sampleTenant, type Tenant } from './sample-tenant.fixture.ts'

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
beforeAll(async () => {
  env = await setup()
  sample = sampleClusters(env)
})
afterAll(() => env.close())

const tenant = () => sampleTenant(env)

describe('copying a folder of the storage', () => {
  const folderOf = async (one: Tenant) => {
    const { data } = await env.call(
      'folders.create',
      { name: `f${randomUUID()}`, parent: 0 },
      { token: one.person.token },
    )
    return data.group.ID
  }
  const keyTo = async (one: Tenant, group_id?: number) =>
    (await env.call('apiKeys.create', { key_name: randomUUID(), group_id }, { token: one.person.token })).data.key

  it('works with an API key that is limited to it', async () => {
    const one = await tenant()
    const key = await keyTo(one, await folderOf(one))
    const { data } = await env.call('clusters.copyIn', { id: one.machine, key, target: 'in' }, one)
    expect(data).toEqual({ files: 0, bytes: 0 })
    expect(sample.workloads.get(one.machine)?.files.toString()).toContain('data/in/')
  })

  it('keeps the folders in it', async () => {
    const one = await tenant()
    const { token } = one.person
    const root = await folderOf(one)
    let parent = root
    for (const name of ['deep', 'deeper'])
      parent = (await env.call('folders.create', { name, parent }, { token })).data.group.ID
    await env.call('clusters.copyIn', { id: one.machine, key: await keyTo(one, root) }, one)
    expect(sample.workloads.get(one.machine)?.files.toString()).toMatch(/data\/f[^/]*\/deep\/deeper\//)
  })

  it('needs a key that gives no other access', async () => {
    const one = await tenant()
    const token = await keyTo(one, await folderOf(one))
    expect((await env.call('folders.list', { parent: 0 }, { token })).code).toBe(401)
    expect((await env.call('usage.storageSize', {}, { token })).code).toBe(401)
  })

  describe('refuses', () => {
    const copy = async (one: Tenant, key: string, more: Record<string, unknown> = {}) =>
      (await env.call('clusters.copyIn', { id: one.machine, key, ...more }, one)).err

    it('a key without a folder, a key of another account, and an unknown key', async () => {
      const [one, other] = [await tenant(), await tenant()]
      expect(await copy(one, await keyTo(one))).toBe(errors.folderKey.err)
      expect(await copy(one, await keyTo(other, await folderOf(other)))).toBe(errors.folderKey.err)
      expect(await copy(one, 'tnk_nothing')).toBe(errors.folderKey.err)
    })

    it('a folder outside of the key, and a deleted folder', async () => {
      const one = await tenant()
      const [mine, second] = [await folderOf(one), await folderOf(one)]
      const key = await keyTo(one, mine)
      expect(await copy(one, key, { group_id: second })).toBe(errors.folderUnknown.err)
      await env.db.run(sql`delete from folders where id = ${mine}`)
      expect(await copy(one, key)).toBe(errors.folderUnknown.err)
    })

    it('a target outside of the disk, and a stopped workload', async () => {
      const one = await tenant()
      const key = await keyTo(one, await folderOf(one))
      expect(await copy(one, key, { target: '../../etc' })).toBe(errors.copyTarget.err)
      const id = one.machine
      await env.call('clusters.stop', { id }, one)
      await reconcileWorkload(env.context, id)
      expect(await copy(one, key)).toBe(errors.workloadStopped.err)
    })

    it('a folder with more files than can be copied', async () => {
      const one = await tenant()
      const folder = await folderOf(one)
      await sampleFiles(env.db, one.person.id, FOLDER_FILES_MAX + 1, folder)
      expect(await copy(one, await keyTo(one, folder))).toBe(errors.copyTooLarge.err)
    })

    it('to create a key for a folder of another account', async () => {
      const [one, other] = [await tenant(), await tenant()]
      const answer = await env.call(
        'apiKeys.create',
        { key_name: 'theirs', group_id: await folderOf(other) },
        { token: one.person.token },
      )
      expect(answer.err).toBe(errors.folderUnknown.err)
    })
  })
})
