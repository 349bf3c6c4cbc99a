import { randomInt } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import type { NodeWork } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { features } from '../../apps/server/src/features.ts'
import { nodeToken } from '../../apps/server/src/network/nodes/node-session.ts'
import { place } from '../../apps/server/src/network/placement/place.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { finishJobs } from '../../apps/server/src/platform/jobs/jobs.ts'
import { clean, type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { chance } from './chance.ts'

/**
 * Invariants of accounts and of the network under concurrent use: random steps of
 * several accounts with shared contents against the real server, its scheduler and simulated nodes.
 */

const QUOTA = 4000
const HOUR = 3600_000

/** A simulated node: stores what it received or pulled until the server removes it. */
async function createDisk(env: TestEnv, area: string) {
  const node = await env.node({ area, kind: 'candidate' })
  return { ...node, area: area.split('-')[1] as string, disk: new Set<string>() }
}
type Disk = Awaited<ReturnType<typeof createDisk>>

async function createScene(seed: number) {
  const env = await setup()
  const random = chance(seed)
  const nodes = await Promise.all(
    ['Europe-Germany-Hesse-Frankfurt', 'Asia-Singapore-Singapore-Singapore', 'Asia-Japan-Tokyo-Tokyo'].map((area) =>
      createDisk(env, area),
    ),
  )
  const people = await Promise.all(Array.from({ length: 4 }, () => env.person({ storageQuota: QUOTA })))
  const contents = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => ({
      cid: (await rawCid(new TextEncoder().encode(`${seed} ${index}`))).toString(),
      size: 100 + index * 100,
    })),
  )
  const folders = new Map<number, number[]>(people.map((person) => [person.id, [0]]))
  const traces = new Map<number, string[]>(people.map((person) => [person.id, []]))
  const folder = (person: Person) => random.one(folders.get(person.id) as number[])
  const areas = () => random.one([undefined, undefined, ['Germany'], ['Singapore', 'Japan']])

  const receipt = async (node: Disk, content: { cid: string; size: number }, sub: string, tid?: string) => {
    node.disk.add(content.cid)
    return node.receipt({ sub, ...content, ...(tid && { tid }) })
  }
  const create = (person: Person, { cid, size }: { cid: string; size: number }, more: { receipt?: string } = {}) =>
    env.call(
      'assets.create',
      {
        asset_name: 'x',
        asset_type: 'file',
        asset_size: size,
        asset_cid: cid,
        group_id: folder(person),
        area_id: areas(),
        ...more,
      },
      person,
    )

  /** User actions; only internal errors in the responses fail the test. */
  const steps: [weight: number, step: (person: Person, content: { cid: string; size: number }) => Promise<unknown>][] =
    [
      [
        8,
        async (person, content) =>
          create(person, content, { receipt: await receipt(random.one(nodes), content, person.uid) }),
      ],
      [
        3,
        async (person, content) => {
          const { data } = await env.call('uploads.info', { size: content.size }, person)
          if (!data) return undefined
          traces.get(person.id)?.push(data.TraceID)
          const node = random.one(nodes)
          return env.call(
            'nodeControl.receipts',
            { receipts: [await receipt(node, content, person.uid, data.TraceID)] },
            node,
          )
        },
      ],
      [4, (person, content) => create(person, content)],
      [
        2,
        async (person, content) => {
          const node = random.one(nodes)
          return env.call('nodeControl.receipts', { receipts: [await receipt(node, content, person.uid)] }, node)
        },
      ],
      [6, (person, { cid }) => env.call('assets.remove', { asset_cid: cid }, person)],
      [
        3,
        (person, { cid }) => env.call('assets.remove', { asset_cid: cid, area_id: [random.one(nodes).area] }, person),
      ],
      [3, (person, { cid }) => env.call('assets.move', { asset_cid: cid, group_id: folder(person) }, person)],
      [2, (person, { cid }) => env.call('uploads.cancel', { asset_cid: cid }, person)],
      [2, (person) => env.call('uploads.cancel', { trace_id: random.one(traces.get(person.id) ?? []) ?? '' }, person)],
      [
        2,
        async (person) => {
          const { data } = await env.call('folders.create', { name: 'f', parent: folder(person) }, person)
          if (data) folders.get(person.id)?.push(data.group.ID)
          return undefined
        },
      ],
      [
        2,
        (person) =>
          env.call(
            'folders.remove',
            { group_id: folder(person), force: random.often(0.8), trash: random.often(0.5) },
            person,
          ),
      ],
      [2, (person, { cid }) => env.call('trash.put', { assets: [cid] }, person)],
      [
        3,
        async (person) => {
          const { data } = await env.call('trash.list', {}, person)
          const one = random.one(data.list)
          if (!one) return undefined
          return random.often(0.7)
            ? env.call('trash.restore', { ids: [one.id] }, person)
            : env.call('trash.remove', { ids: [one.id] }, person)
        },
      ],
      [1, (person) => env.call('folders.move', { group_id: folder(person), target_group_id: folder(person) }, person)],
      [
        1,
        async (_, content) =>
          env.call('tempFiles.create', {
            asset_name: 't',
            asset_size: content.size,
            asset_cid: content.cid,
            ...(random.often(0.5) && { receipt: await receipt(random.one(nodes), content, 'temp:x') }),
          }),
      ],
    ]
  const weighted = steps.flatMap(([weight, step]) => Array.from({ length: weight }, () => step))

  const stats = {
    capacity: 1e12,
    used: 0,
    free: 1e12,
    load: 0,
    uploads: 0,
    downloads: 0,
    receive_rate: 0,
    send_rate: 0,
    contents: 0,
  }
  /** Node tokens expire after a day, and the test moves the clock. */
  const as = async (node: Disk) => ({ token: await nodeToken(env.context, node.id) })
  const obey = async (node: Disk, piece: NodeWork) => {
    const report = async (state: 'stored' | 'failed' | 'removed', cid: string, size = 0) =>
      env.call('nodeControl.replicas', { results: [{ cid, state, size, error: '', bad_sources: [] }] }, await as(node))
    if (piece.type === 'remove') {
      node.disk.delete(piece.cid)
      await report('removed', piece.cid)
    } else if (piece.type === 'pull') {
      const there = piece.sources.some((source) => nodes.find(({ id }) => id === source.node_id)?.disk.has(piece.cid))
      if (there) node.disk.add(piece.cid)
      await report(there ? 'stored' : 'failed', piece.cid, piece.size)
    }
  }

  return {
    env,
    nodes,
    people,
    random,
    async burst() {
      const answers = await Promise.all(
        Array.from({ length: 1 + random.below(6) }, () =>
          random.one(weighted)(random.one(people), random.one(contents)),
        ),
      )
      for (const answer of answers as ({ status: number; code: number; err?: number } | undefined)[]) {
        expect(answer?.code).not.toBe(401)
        expect(answer?.err).not.toBe(1004)
        expect(answer?.status ?? 200).toBeLessThan(500)
      }
    },
    /** Runs jobs, the scheduler and the nodes. */
    async settle() {
      await clean(env.context)
      await finishJobs(env.context, features)
      for (let round = 0, idle = 0; round < 60; round++) {
        await place(env.context)
        let done = 0
        for (const node of nodes) {
          const { data } = await env.call('nodeControl.heartbeat', { stats, time: env.clock.now() }, await as(node))
          for (const piece of data.work) await obey(node, piece)
          done += data.work.length
        }
        idle = done === 0 ? idle + 1 : 0
        if (idle === 2) return
        env.pass(6000)
      }
      throw new Error('the network does not come to rest')
    },
  }
}
type Scene = Awaited<ReturnType<typeof createScene>>

const none = async (scene: Scene, statement: ReturnType<typeof sql>) =>
  expect(await scene.env.db.rows(statement)).toEqual([])

async function checkAccounts(scene: Scene): Promise<void> {
  await none(
    scene,
    sql`select u.id, u.used_bytes, u.asset_count, a.* from users u left join lateral (
      select coalesce(sum(size), 0) as bytes, count(*) as files from assets where user_id = u.id) a on true
      where u.used_bytes <> a.bytes or u.asset_count <> a.files`,
  )
  await none(
    scene,
    sql`select u.id, u.reserved_bytes, r.* from users u left join lateral (
      select coalesce(sum(size), 0) as bytes from reservations where user_id = u.id) r on true
      where u.reserved_bytes <> r.bytes`,
  )
  await none(
    scene,
    sql`select id from users where used_bytes + reserved_bytes > ${QUOTA} or used_bytes + trash_bytes > ${QUOTA}
      or least(used_bytes, reserved_bytes, trash_bytes) < 0`,
  )
  await none(
    scene,
    sql`select u.id, u.trash_bytes, t.* from users u left join lateral (
      select coalesce(sum(size), 0) as bytes from trashed_assets where user_id = u.id) t on true
      where u.trash_bytes <> t.bytes`,
  )
  await none(
    scene,
    sql`select * from (select user_id, folder_id, count(*) as files, sum(size) as bytes from assets group by user_id, folder_id) a
      full join (select user_id, folder_id, files, bytes from folder_totals where files <> 0 or bytes <> 0) t using (user_id, folder_id)
      where a.files is distinct from t.files or a.bytes is distinct from t.bytes`,
  )
  await none(
    scene,
    sql`select * from (select user_id, folder_id, seq / 512 as run, count(*) as files from assets group by user_id, folder_id, seq / 512) a
      full join (select user_id, folder_id, run, files from folder_runs where files <> 0) r using (user_id, folder_id, run)
      where a.files is distinct from r.files`,
  )
  await none(
    scene,
    sql`select a.id from assets a where a.folder_id <> 0 and not exists (select 1 from folders f where f.id = a.folder_id and f.user_id = a.user_id)`,
  )
  await none(
    scene,
    sql`select c.cid from contents c where stored <> (select count(*) from replicas r where r.cid = c.cid and state = 'stored')`,
  )
}

/** The API matches the database. */
async function checkListings({ env, people }: Scene): Promise<void> {
  for (const person of people) {
    const sizes: number[] = []
    const visit = async (parent: number): Promise<void> => {
      const { data } = await env.call('folders.contents', { parent, page_size: 100 }, person)
      for (const { AssetOverview, Group } of data.list) {
        if (AssetOverview) sizes.push(AssetOverview.UserAssetDetail.TotalSize)
        if (Group) await visit(Group.ID)
      }
    }
    await visit(0)
    const { data } = await env.call('usage.storageSize', {}, person)
    expect(data).toMatchObject({ UsedSize: sizes.reduce((sum, size) => sum + size, 0), AssetCount: sizes.length })
  }
}

/** When idle: every listed content is stored, and no other content. */
async function checkReplicas(scene: Scene): Promise<void> {
  const { env, nodes } = scene
  const stored = await env.db.rows<{ cid: string; node_id: string }>(
    sql`select cid, node_id from replicas where state = 'stored'`,
  )
  for (const { cid, node_id } of stored)
    expect([cid, nodes.find(({ id }) => id === node_id)?.disk.has(cid)]).toEqual([cid, true])
  const held = new Set(stored.map(({ cid }) => cid))
  const named = await env.db.rows<{ cid: string }>(sql`
    select cid from assets union select cid from trashed_assets union select cid from temp_files where stored and expires_at > ${new Date(env.clock.now())}`)
  for (const { cid } of named) expect([cid, held.has(cid)]).toEqual([cid, true])
  const day = new Date(env.clock.now() - 24 * HOUR)
  const wanted = new Set([
    ...named.map(({ cid }) => cid),
    ...(await env.db.rows<{ cid: string }>(sql`select cid from receipts where not spent and received_at > ${day}`)).map(
      ({ cid }) => cid,
    ),
  ])
  expect([...held].filter((cid) => !wanted.has(cid))).toEqual([])
  // Only in the areas that its owners chose.
  const areaOf = (nodeId: string) => nodes.find(({ id }) => id === nodeId)?.area ?? ''
  for (const cid of held) {
    const owners = await env.db.rows<{ areas: string[] }>(sql`
      select areas from assets where cid = ${cid} union all select areas from trashed_assets where cid = ${cid}
      union all select areas from temp_files where cid = ${cid} and stored`)
    if (owners.length === 0 || owners.some(({ areas }) => areas.length === 0)) continue
    const places = stored.filter((row) => row.cid === cid).map((row) => areaOf(row.node_id))
    const chosen = new Set(owners.flatMap(({ areas }) => areas))
    expect([cid, new Set(places)]).toEqual([cid, chosen])
  }
}

describe('accounts that share contents', () => {
  const long = process.env.TIDENET_TEST_LONG === 'yes'
  const seeds = [...(long ? [1, 2, 3] : []), randomInt(2 ** 31)]
  const rounds = long ? 8 : 4

  it.each(seeds)('keep used and reserved quota, folders and replicas consistent (seed %i)', async (seed) => {
    const scene = await createScene(seed)
    try {
      for (let round = 0; round < rounds; round++) {
        for (let turn = 0; turn < 8; turn++) {
          await scene.burst()
          await checkAccounts(scene)
        }
        await checkListings(scene)
        await scene.settle()
        await checkAccounts(scene)
        await checkReplicas(scene)
        scene.env.pass(scene.random.below(2 * HOUR))
      }
      // After a day, unused reservations and unreferenced contents are deleted.
      scene.env.pass(25 * HOUR)
      await scene.settle()
      await checkAccounts(scene)
      await checkReplicas(scene)
      await none(scene, sql`select cid from reservations union select cid from temp_files`)
      await none(
        scene,
        sql`select cid from contents where stored > 0 and cid not in (select cid from assets union select cid from trashed_assets)`,
      )
    } finally {
      await scene.env.close()
    }
  })
})
