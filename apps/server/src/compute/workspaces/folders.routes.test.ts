import { randomUUID } from 'node:crypto'
import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { ClusterError } from '../clusters/driver.ts'
import type { sampleDriver } from '../clusters/sample-driver.fixture.ts'
import { saveDue, saveFolder } from './folder-transfers.ts'
import { reconcileWorkload } from './reconcile.ts'
import { deploySample, sampleClusters, sampleTenant, shrinkMachine, type Tenant } from './sample-tenant.fixture.ts'
import { supervise } from './supervise.ts'
import { remove, suspend } from './workspaces.ts'

/** Folders of the storage in programs: what is asked, by whom, and what becomes of it. Copying itself is in test/clusters. */

let env: TestEnv
let sample: ReturnType<typeof sampleDriver>
beforeAll(async () => {
  env = await setup()
})
beforeEach(() => {
  sample = sampleClusters(env)
})
afterAll(() => env.close())

const PERMISSIONS = ['readFile', 'createFile', 'deleteFile', 'readFolder', 'createFolder']
const PATH = '/data/work'

/** A tenant with a folder; `keyOf` makes keys of it. */
async function owner() {
  const tenant = await sampleTenant(env)
  await shrinkMachine(env, tenant)
  const portal = { token: tenant.person.token }
  const folder = (await env.call('folders.create', { name: 'Work' }, portal)).data.group.ID
  const keyOf = async (more: { perms?: string[]; folders?: number[]; group_id?: number; type?: 'admin' } = {}) => {
    const usual = more.group_id || more.type ? {} : { type: 'normal' as const, perms: PERMISSIONS, folders: [folder] }
    const { data } = await env.call('apiKeys.create', { key_name: randomUUID(), ...usual, ...more }, portal)
    return data.key
  }
  return { tenant, portal, folder, keyOf, key: await keyOf() }
}
type Owner = Awaited<ReturnType<typeof owner>>

const shown = async (tenant: Tenant, id: string) =>
  (await env.call('clusters.workspaces', {}, tenant)).data.list[0]?.workloads.find((one) => one.id === id)
const keysOf = async ({ portal }: Owner) => (await env.call('apiKeys.list', {}, portal)).data.list.length

/** Something that ends when the test says so. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const isSaved = async (id: string): Promise<boolean> =>
  (
    await env.db.one<{ saved: boolean }>(
      sql`select save_asked = save_done as saved from workload_folders where workload_id = ${id}`,
    )
  ).saved

/** The task saves it, as soon as it has room. */
async function saveEnded(id: string): Promise<void> {
  const before = sample.control.transfers.length
  await saveDue(env.context)
  await expect.poll(async () => sample.control.transfers.length > before && !(await isLeased(id))).toBe(true)
}
const isLeased = async (id: string): Promise<boolean> =>
  (
    await env.db.one<{ leased: boolean }>(
      sql`select leased_until is not null as leased from workload_folders where workload_id = ${id}`,
    )
  ).leased

/** A program with the folder. */
async function attached(one: Owner) {
  const { data } = await deploySample(env, one.tenant, { folder: { key: one.key, path: PATH } })
  return data.id
}

describe('a folder in a program', () => {
  it('is copied before the first start, with the key and the path that were given', async () => {
    const one = await owner()
    const id = await attached(one)
    expect(sample.control.transfers).toEqual([
      expect.objectContaining({ kind: 'fill', key: one.key, folder: one.folder, path: PATH, base: {}, copying: {} }),
    ])
    expect(await shown(one.tenant, id)).toMatchObject({
      state: 'running',
      paths: [PATH],
      folder: { id: one.folder, name: 'Work', path: PATH, state: 'ready', problem: '', detaching: false },
    })
  })

  it('is saved when the program stops, and copied again when it starts', async () => {
    const one = await owner()
    const id = await attached(one)
    sample.control.transferred = async () => ({ base: { 'a.txt': 'one' }, savedFiles: 2, savedBytes: 30 })
    await env.call('clusters.stop', { id }, one.tenant)
    await reconcileWorkload(env.context, id)
    await saveFolder(env.context, id)
    expect((await shown(one.tenant, id))?.folder).toMatchObject({ state: 'ready', saved_files: 2, saved_bytes: 30 })
    sample.control.transferred = async () => ({})
    await env.call('clusters.start', { id }, one.tenant)
    await reconcileWorkload(env.context, id)
    expect(sample.control.transfers.map(({ kind, base }) => [kind, base])).toEqual([
      ['fill', {}],
      ['save', {}],
      ['fill', { 'a.txt': 'one' }],
    ])
  })

  it('is saved when the program ends by itself, once', async () => {
    const one = await owner()
    const id = await attached(one)
    Object.assign(sample.workloads.get(id) ?? {}, { state: 'stopped', exitCode: 0 })
    await supervise(env.context)
    await supervise(env.context)
    await saveDue(env.context)
    await expect.poll(async () => (await shown(one.tenant, id))?.folder?.saved_at).not.toBe('')
    await supervise(env.context)
    await saveDue(env.context)
    expect(sample.control.transfers.filter(({ kind }) => kind === 'save')).toHaveLength(1)
  })

  it('is saved on demand, also when that is asked while it is being saved', async () => {
    const one = await owner()
    const id = await attached(one)
    sample.control.transferred = async () => {
      sample.control.transferred = async () => ({})
      expect((await shown(one.tenant, id))?.folder?.state).toBe('saving')
      await env.call('clusters.saveFolder', { id }, one.tenant)
      return {}
    }
    await env.call('clusters.saveFolder', { id }, one.tenant)
    await saveFolder(env.context, id)
    expect((await shown(one.tenant, id))?.folder?.state).toBe('saving')
    await saveFolder(env.context, id)
    expect((await shown(one.tenant, id))?.folder?.state).toBe('ready')
  })

  it('that does not fit into the storage is saved later, and nothing is forgotten', async () => {
    const one = await owner()
    const id = await attached(one)
    sample.control.transferred = async () => ({
      problem: 'quota',
      note: 'Full.',
      base: { 'a.txt': 'one' },
      savedFiles: 1,
    })
    await env.call('clusters.saveFolder', { id }, one.tenant)
    await saveFolder(env.context, id)
    expect((await shown(one.tenant, id))?.folder).toMatchObject({ problem: 'quota', note: 'Full.', saved_files: 1 })
    const before = sample.control.transfers.length
    await saveDue(env.context)
    expect(sample.control.transfers).toHaveLength(before)
    sample.control.transferred = async () => ({})
    env.pass(60_000)
    await saveDue(env.context)
    await expect.poll(async () => (await shown(one.tenant, id))?.folder?.problem).toBe('')
    expect(sample.control.transfers.at(-1)).toMatchObject({ kind: 'save', base: { 'a.txt': 'one' } })
  })

  it('is continued by another server after the one that copied was killed', async () => {
    const one = await owner()
    const id = await attached(one)
    await env.call('clusters.saveFolder', { id }, one.tenant)
    await env.db.run(sql`
      update workload_folders set lease = ${randomUUID()}, leased_until = ${new Date(env.clock.now() + 120_000)} where workload_id = ${id}`)
    await saveDue(env.context)
    expect(sample.control.transfers).toHaveLength(1)
    env.pass(200_000)
    await saveDue(env.context)
    await expect.poll(() => sample.control.transfers.length).toBe(2)
  })

  it('is copied again after the copy was interrupted, and the program starts with all of it', async () => {
    const one = await owner()
    let fails = true
    sample.control.transferred = async ({ kind }) => {
      if (kind === 'fill' && fails) throw new ClusterError('failed', 'killed')
      return {}
    }
    const { data } = await deploySample(env, one.tenant, { folder: { key: one.key, path: PATH } }).catch(async () => ({
      data: { id: (await env.call('clusters.workspaces', {}, one.tenant)).data.list[0]?.workloads.at(-1)?.id ?? '' },
    }))
    expect((await shown(one.tenant, data.id))?.state).not.toBe('running')
    fails = false
    await reconcileWorkload(env.context, data.id)
    expect((await shown(one.tenant, data.id))?.state).toBe('running')
  })

  it('that is gone does not keep a program from running that had its files', async () => {
    const one = await owner()
    const id = await attached(one)
    await env.call('clusters.stop', { id }, one.tenant)
    await reconcileWorkload(env.context, id)
    await saveFolder(env.context, id)
    sample.control.transferred = async () => ({ filled: false, problem: 'folder' })
    await env.call('clusters.start', { id }, one.tenant)
    await reconcileWorkload(env.context, id)
    expect(await shown(one.tenant, id)).toMatchObject({ state: 'running', folder: { problem: 'folder' } })
  })

  it('that does not fit keeps a new program from running, and says why', async () => {
    const one = await owner()
    sample.control.transferred = async () => ({ filled: false, problem: 'large', note: 'Too large.' })
    const id = await attached(one)
    expect(await shown(one.tenant, id)).toMatchObject({ state: 'failed', failure: 'folder', note: 'Too large.' })
  })

  it('is detached after it was saved, and its key ends', async () => {
    const one = await owner()
    const id = await attached(one)
    const before = await keysOf(one)
    await env.call('clusters.detachFolder', { id }, one.tenant)
    expect((await shown(one.tenant, id))?.folder?.detaching).toBe(true)
    await saveFolder(env.context, id)
    expect(await shown(one.tenant, id)).toMatchObject({ folder: null, paths: [PATH] })
    expect(await keysOf(one)).toBe(before - 1)
    expect((await env.call('clusters.remove', { id }, one.tenant)).code).toBe(0)
  })

  it('is saved to the end when the order ends meanwhile, and once more after it', async () => {
    const one = await owner()
    const id = await attached(one)
    const saved = gate()
    sample.control.transferred = async () => {
      await saved.opened
      return { savedFiles: 3 }
    }
    await env.call('clusters.saveFolder', { id }, one.tenant)
    const first = saveFolder(env.context, id)
    await expect.poll(async () => (await shown(one.tenant, id))?.folder?.state).toBe('saving')
    await expect(remove(env.context, one.tenant.space)).rejects.toMatchObject({ failure: 'saving' })
    expect(sample.workloads.get(id)?.state).toBe('stopped')
    saved.open()
    await first
    // What the program did until it was stopped.
    await expect(remove(env.context, one.tenant.space)).rejects.toMatchObject({ failure: 'saving' })
    await saveEnded(id)
    await remove(env.context, one.tenant.space)
    expect(sample.control.transfers.map(({ kind }) => kind)).toEqual(['fill', 'save', 'save'])
    expect(sample.workloads.has(id)).toBe(false)
  })

  it('that takes long keeps its order from ending, but neither the caller nor the folders of others', async () => {
    const [slow, other] = [await owner(), await owner()]
    const [slowId, id] = [await attached(slow), await attached(other)]
    const saved = gate()
    sample.control.transferred = async ({ folder }) => {
      if (folder === slow.folder) await saved.opened
      return {}
    }
    for (const each of [slow, other])
      await expect(suspend(env.context, each.tenant.space)).rejects.toMatchObject({ failure: 'saving' })
    await saveDue(env.context)
    await expect.poll(() => isSaved(id)).toBe(true)
    await suspend(env.context, other.tenant.space)
    await expect(suspend(env.context, slow.tenant.space)).rejects.toMatchObject({ failure: 'saving' })
    saved.open()
    await expect.poll(() => isSaved(slowId)).toBe(true)
    await suspend(env.context, slow.tenant.space)
  })

  it('that takes long does not use up the time of the others when their order ends', async () => {
    const one = await owner()
    const ids = [await attached(one), await attached(one)]
    const saved = gate()
    let copies = 0
    sample.control.transferred = async () => {
      copies += 1
      if (copies === 1) await saved.opened
      return {}
    }
    await expect(suspend(env.context, one.tenant.space)).rejects.toMatchObject({ failure: 'saving' })
    await saveDue(env.context)
    await expect.poll(() => copies).toBe(1)
    await saveDue(env.context)
    const countSaved = async () => (await Promise.all(ids.map(isSaved))).filter((is) => is).length
    await expect.poll(countSaved).toBe(1)
    saved.open()
    await expect.poll(countSaved).toBe(2)
    await suspend(env.context, one.tenant.space)
  })

  it('that cannot be saved does not keep its order from ending', async () => {
    const one = await owner()
    const id = await attached(one)
    sample.control.transferred = async () => ({ problem: 'quota' })
    await expect(suspend(env.context, one.tenant.space)).rejects.toMatchObject({ failure: 'saving' })
    await saveFolder(env.context, id)
    await suspend(env.context, one.tenant.space)
  })

  it('is tried again while the end of its order waits, for half an hour', async () => {
    const one = await owner()
    const id = await attached(one)
    sample.control.transferred = async () => ({ problem: 'away' })
    for (const wait of [0, 29]) {
      env.pass(wait * 60_000)
      await expect(suspend(env.context, one.tenant.space)).rejects.toMatchObject({ failure: 'saving' })
      await saveEnded(id)
    }
    env.pass(2 * 60_000)
    await suspend(env.context, one.tenant.space)
    expect(sample.control.transfers.filter(({ kind }) => kind === 'save')).toHaveLength(2)
  })

  it('that takes long delays neither programs nor folders of other accounts', async () => {
    const [slow, other] = [await owner(), await owner()]
    const arrived = gate()
    sample.control.transferred = async ({ folder }) => {
      if (folder === slow.folder) await arrived.opened
      return {}
    }
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      const input = { workspace: slow.tenant.space, name: `slow${n}`, cpu: 0.1, memory: 128, storage: 1 }
      const folder = { key: slow.key, path: PATH }
      const { data } = await env.call('clusters.deploy', { ...input, folder }, slow.tenant)
      ids.push(data.id)
    }
    let putOff = 0
    const starts = ids.map((id) => reconcileWorkload(env.context, id).then(() => void putOff++))
    await expect.poll(() => putOff).toBe(3)
    expect(sample.control.transfers).toHaveLength(2)
    const id = await attached(other)
    expect((await shown(other.tenant, id))?.state).toBe('running')
    await env.call('clusters.saveFolder', { id }, other.tenant)
    await saveDue(env.context)
    await expect.poll(async () => (await shown(other.tenant, id))?.folder?.saved_at).not.toBe('')
    arrived.open()
    await Promise.all(starts)
    // Those that waited did not fail, and are started later.
    expect((await shown(slow.tenant, ids.at(-1) ?? ''))?.state).toBe('starting')
    for (const each of ids) await reconcileWorkload(env.context, each)
    expect(ids.map((each) => sample.workloads.get(each)?.state)).toEqual(ids.map(() => 'running'))
  })

  it('is not copied to the end when its program is stopped meanwhile', async () => {
    const one = await owner()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      sample.control.transferred = (_, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('ended'))))
      const input = { workspace: one.tenant.space, name: 'slow', cpu: 0.1, memory: 128, storage: 1 }
      const { data } = await env.call('clusters.deploy', { ...input, folder: { key: one.key, path: PATH } }, one.tenant)
      const started = reconcileWorkload(env.context, data.id)
      await expect.poll(() => sample.control.transfers).toHaveLength(1)
      await env.call('clusters.stop', { id: data.id }, one.tenant)
      vi.advanceTimersByTime(60_000)
      await started
      expect((await shown(one.tenant, data.id))?.state).toBe('stopped')
    } finally {
      vi.useRealTimers()
    }
  })

  it('stays attached when its owner attached it again while it was saved to be detached', async () => {
    const one = await owner()
    const id = await attached(one)
    const key = await one.keyOf()
    sample.control.transferred = async () => {
      await env.call('clusters.detachFolder', { id, save: false }, one.tenant)
      expect((await env.call('clusters.attachFolder', { id, key, path: PATH }, one.tenant)).code).toBe(0)
      return {}
    }
    await env.call('clusters.detachFolder', { id }, one.tenant)
    await saveFolder(env.context, id)
    expect((await shown(one.tenant, id))?.folder).toMatchObject({ id: one.folder, detaching: false })
  })

  it('stays attached while it cannot be saved, until its owner does without', async () => {
    const one = await owner()
    const id = await attached(one)
    sample.control.transferred = async () => ({ problem: 'quota' })
    await env.call('clusters.detachFolder', { id }, one.tenant)
    await saveFolder(env.context, id)
    expect((await shown(one.tenant, id))?.folder).toMatchObject({ problem: 'quota', detaching: true })
    expect((await env.call('clusters.remove', { id }, one.tenant)).err).toBe(errors.folderAttached.err)
    await env.call('clusters.detachFolder', { id, save: false }, one.tenant)
    expect((await shown(one.tenant, id))?.folder).toBeNull()
  })

  it('gets another key, and what failed is tried again', async () => {
    const one = await owner()
    const id = await attached(one)
    sample.control.transferred = async () => ({ problem: 'key' })
    await env.call('clusters.saveFolder', { id }, one.tenant)
    await saveFolder(env.context, id)
    sample.control.transferred = async () => ({})
    const key = await one.keyOf()
    expect((await env.call('clusters.attachFolder', { id, key, path: PATH }, one.tenant)).code).toBe(0)
    await saveFolder(env.context, id)
    expect(sample.control.transfers.at(-1)?.key).toBe(key)
    expect((await shown(one.tenant, id))?.folder?.problem).toBe('')
  })

  it('is saved before its order is suspended, and its key ends with the order', async () => {
    const one = await owner()
    const id = await attached(one)
    const before = await keysOf(one)
    await expect(suspend(env.context, one.tenant.space)).rejects.toMatchObject({ failure: 'saving' })
    await saveEnded(id)
    await suspend(env.context, one.tenant.space)
    expect(sample.control.transfers.at(-1)?.kind).toBe('save')
    expect(await keysOf(one)).toBe(before)
    await remove(env.context, one.tenant.space)
    expect(await keysOf(one)).toBe(before - 1)
    expect((await env.db.rows(sql`select 1 from workload_folders where workload_id = ${id}`)).length).toBe(0)
  })

  it('needs a key of its own account that is limited to it and may write', async () => {
    const [one, other] = [await owner(), await owner()]
    const id = one.tenant.machine
    const attach = async (key: string, path = PATH) =>
      (await env.call('clusters.attachFolder', { id, key, path }, one.tenant)).err
    const second = (await env.call('folders.create', { name: 'Other' }, one.portal)).data.group.ID
    expect(await attach(other.key)).toBe(errors.folderProgramKey.err)
    expect(await attach(await one.keyOf({ perms: ['readFile', 'readFolder'] }))).toBe(errors.folderProgramKey.err)
    expect(await attach(await one.keyOf({ folders: [one.folder, second] }))).toBe(errors.folderProgramKey.err)
    expect(await attach(await one.keyOf({ group_id: one.folder }))).toBe(errors.folderProgramKey.err)
    expect(await attach(await one.keyOf({ type: 'admin' }))).toBe(errors.folderProgramKey.err)
    for (const path of ['/', '/etc', '/data', '/data/../etc', '/proc/x', 'data', '/a b', `/${'x'.repeat(100)}`])
      expect(await attach(one.key, path)).toBe(errors.folderPath.err)
    expect(sample.control.transfers).toEqual([])
  })

  it('of a stranger cannot be saved or detached, and clusters that cannot copy refuse it', async () => {
    const [one, stranger] = [await owner(), await owner()]
    const id = await attached(one)
    for (const call of ['clusters.saveFolder', 'clusters.detachFolder'] as const)
      expect((await env.call(call, { id }, stranger.tenant)).err).toBe(errors.workloadUnknown.err)
    const { transfer: _, ...driver } = sample.driver
    env.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
    const { tenant, key } = stranger
    expect((await env.call('clusters.attachFolder', { id: tenant.machine, key, path: PATH }, tenant)).err).toBe(
      errors.folderNotOffered.err,
    )
  })
})
