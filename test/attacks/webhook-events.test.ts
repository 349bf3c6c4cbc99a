import { randomUUID } from 'node:crypto'
import { DELETED_CIDS_MAX, LOST_CONTENTS_MAX, type WebhookEventName, webhookData } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { webhookCalls } from '../../apps/server/src/identity/webhooks/receiver.fixture.ts'
import { changeOrder } from '../../apps/server/src/payments/orders/repository.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile, sampleFiles } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { reportLostCopies } from '../../apps/server/src/storage/contents/lost-copies.ts'
import { elsewhere } from '../../apps/server/src/storage/shares/sample-shares.fixture.ts'
import { sampleUploads } from '../../apps/server/src/storage/uploads/sample-uploads.fixture.ts'
import { clean, type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

// Which events an account gets, and that nobody else gets them. They are read from the database; how they are sent is tested elsewhere.

let env: TestEnv
let owner: Person
beforeAll(async () => {
  env = await setup()
})
beforeEach(async () => {
  owner = await env.person()
})
afterAll(() => env.close())
const { hook } = webhookCalls(() => env)
const { stored } = sampleUploads(() => env)

const listen = (person: Person, event: WebhookEventName) => hook(person, 'https://hooks.example.org/', [event])

/** The data of all events of an account; each fits the contract. */
async function eventsOf(person: Person) {
  const rows = await env.db.rows<{ event: WebhookEventName; body: string }>(sql`
    select d.event, d.body from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.user_id = ${person.id} order by d.id`)
  return rows.map(({ event, body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: object }
    expect(type).toBe(event)
    expect(Object.keys(webhookData[event].shape).sort()).toEqual(Object.keys(data).sort())
    expect(webhookData[event].safeParse(data).success).toBe(true)
    expect(body.length).toBeLessThan(65_536)
    return data as Record<string, unknown> & { cids: string[] }
  })
}

describe('asset.uploaded', () => {
  it('comes once for each asset that is listed, and says whether bytes were sent', async () => {
    const other = await env.person()
    await listen(owner, 'asset.uploaded')
    await listen(other, 'asset.uploaded')
    const text = randomUUID()
    const { cid } = await stored(owner, text)
    expect(await eventsOf(owner)).toMatchObject([
      { cid, name: 'a.txt', size: text.length, instant: false, folder_id: 0 },
    ])
    await stored(owner, text)
    expect(await eventsOf(owner)).toHaveLength(1)
    expect(await eventsOf(other)).toEqual([])
  })
})

describe('asset.deleted', () => {
  it('comes when an asset moves to the trash, and again when it is deleted for good', async () => {
    await listen(owner, 'asset.deleted')
    const { cid, id } = await sampleFile(env.db, owner.id)
    const { trash_ids } = (await env.call('trash.put', { assets: [cid] }, owner)).data
    expect(await eventsOf(owner)).toEqual([{ cids: [cid], asset_ids: [id], trashed: true }])
    await env.call('trash.remove', { ids: trash_ids }, owner)
    expect((await eventsOf(owner)).slice(1)).toEqual([{ cids: [cid], asset_ids: [id], trashed: false }])
  })

  it('comes when an asset is deleted without the trash, and when it expires', async () => {
    await listen(owner, 'asset.deleted')
    const { cid } = await sampleFile(env.db, owner.id)
    await env.call('assets.remove', { asset_cid: cid } as never, owner)
    const old = await sampleFile(env.db, owner.id, { expires: new Date(env.clock.now() - 1000) })
    // Its owner was told.
    await env.db.run(sql`update assets set ending_stage = 3 where id = ${old.id}`)
    await clean(env.context)
    const final = (await eventsOf(owner)).filter(({ trashed }) => trashed === false)
    expect(final.flatMap(({ cids }) => cids)).toContain(old.cid)
  })

  it('names the assets of a large folder in a few events', async () => {
    await listen(owner, 'asset.deleted')
    const folder = (await env.call('folders.create', { name: 'large', parent: 0 }, owner)).data.group.ID
    await sampleFiles(env.db, owner.id, 2 * DELETED_CIDS_MAX + 1, folder)
    await env.call('trash.put', { folders: [folder] }, owner)
    const events = await eventsOf(owner)
    expect(events.map(({ cids }) => cids.length)).toEqual([DELETED_CIDS_MAX, DELETED_CIDS_MAX, 1])
    expect(new Set(events.flatMap(({ cids }) => cids)).size).toBe(2 * DELETED_CIDS_MAX + 1)
  })
})

describe('share.opened', () => {
  it('comes for each counted download by others, without saying who they are', async () => {
    await listen(owner, 'share.opened')
    const { cid, id } = await sampleFile(env.db, owner.id, { nodes: [await env.node()] })
    await env.call('shares.setStatus', { cid }, owner)
    const open = (as: { ip: string }) => env.call('downloads.open', { asset_cid: cid, user_id: owner.uid }, as)
    const visitor = elsewhere()
    await open(visitor)
    await open(visitor)
    await open(elsewhere())
    expect(await eventsOf(owner)).toEqual([
      { cid, asset_id: id, folder_id: null, downloads: 1 },
      { cid, asset_id: id, folder_id: null, downloads: 2 },
    ])
  })
})

describe('order.status', () => {
  it('comes with each change of the status, and not with other changes', async () => {
    await listen(owner, 'order.status')
    const id = randomUUID()
    const at = new Date(env.clock.now())
    await env.db.run(sql`
      insert into orders (id, user_id, payer, lang, cluster, cpu, ram, storage, duration, bought, price, rate_price, rate_hours, status, workspace_id,
        created_at, updated_at, expired_at)
      values (${id}, ${owner.id}, 'x', 'en', 'distributed', 1, 1, 1, 1, 1, 1, 1, 1, 0, '', ${at}, ${at}, ${at})`)
    await env.db.transaction((tx) => changeOrder(tx, id, { status: 1 }, at))
    await env.db.transaction((tx) => changeOrder(tx, id, { status: 1, tries: 2 }, at))
    await env.db.transaction((tx) => changeOrder(tx, id, { tries: 3 }, at))
    await env.db.transaction((tx) => changeOrder(tx, id, { status: 2 }, at))
    expect(await eventsOf(owner)).toEqual([
      { order_id: id, status: 1, status_name: 'paid', previous: 0 },
      { order_id: id, status: 2, status_name: 'running', previous: 1 },
    ])
  })
})

describe('replica.lost', () => {
  const lose = (nodeId: string, changes = sql`state = 'lost', error = 'offline'`) =>
    env.db.run(sql`update replicas set ${changes}, changed_at = ${new Date(env.clock.now())} where node_id = ${nodeId}`)
  const report = async () => {
    env.pass(60_000)
    await reportLostCopies(env.context)
  }

  it('is one event per account for an outage, with the contents that have the fewest copies left', async () => {
    const other = await env.person()
    await listen(owner, 'replica.lost')
    await listen(other, 'replica.lost')
    const [node, second] = [await env.node(), await env.node()]
    const only = await sampleFile(env.db, owner.id, { nodes: [node] })
    for (let each = 0; each < LOST_CONTENTS_MAX + 5; each++)
      await sampleFile(env.db, owner.id, { nodes: [node, second] })
    await report()
    await lose(node.id)
    await Promise.all([report(), reportLostCopies(env.context)])
    const [event, ...more] = await eventsOf(owner)
    expect(more).toEqual([])
    expect(event).toMatchObject({ contents: LOST_CONTENTS_MAX + 6, copies: LOST_CONTENTS_MAX + 6 })
    const list = event?.list as { cid: string }[]
    expect(list).toHaveLength(LOST_CONTENTS_MAX)
    expect(list[0]).toEqual({ cid: only.cid, lost: 1, left: 0 })
    expect(list[1]).toMatchObject({ lost: 1, left: 1 })
    expect(await eventsOf(other)).toEqual([])
    await report()
    expect(await eventsOf(owner)).toHaveLength(1)
  })

  it('does not come for failed pulls, for copies that are back, or for those on new edges', async () => {
    await listen(owner, 'replica.lost')
    const [pulling, back, edge] = [await env.node(), await env.node(), await env.node({ kind: 'edge' })]
    await sampleFile(env.db, owner.id, { nodes: [pulling, back, edge] })
    await report()
    await lose(pulling.id, sql`state = 'lost', tries = 5`)
    await lose(edge.id)
    await lose(back.id)
    await lose(back.id, sql`state = 'stored', error = ''`)
    await report()
    expect(await eventsOf(owner)).toEqual([])
  })
})
