import { randomUUID } from 'node:crypto'
import type { Stated } from '@tidenet/receipts'
import { openSession } from '../../identity/sessions/tokens.ts'
import { nodeToken } from '../../network/nodes/node-session.ts'
import * as owners from '../../network/nodes/owners.ts'
import { sql } from '../../platform/db/sql.ts'
import { sampleFile } from '../../storage/assets/sample-files.fixture.ts'
import { clientKey } from '../../storage/download-traffic/client-key.fixture.ts'
import { issueDownloadReceipts } from '../../storage/traces/download-receipts.ts'
import type { Person, TestEnv } from '../../test-env.fixture.ts'
import { closeHours } from './close.ts'

/** For tests: devices that hold, send and pass audits, and hours that end. */

export type TestNode = Awaited<ReturnType<TestEnv['node']>>

export const GB = 1_000_000_000
export const POINT = 1_000_000
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export function sampleEarnings(env: () => TestEnv) {
  const at = () => new Date(env().clock.now())

  /** A vetted edge with an owner, at an address of its own. */
  async function device(owner?: Person, more: Parameters<TestEnv['node']>[0] = {}): Promise<TestNode> {
    const node = await env().node({ kind: 'edge', vetted: true, address: randomUUID(), ...more })
    if (owner) await setOwner(node, owner)
    await audit(node)
    return node
  }
  async function setOwner({ id }: TestNode, owner: Person | null): Promise<void> {
    const { db } = env()
    if (owner) return void (await owners.setOwner(db, id, { id: owner.id, lang: 'en' }, at()))
    const { owner_id } = await db.one<{ owner_id: number }>(sql`select owner_id from nodes where id = ${id}`)
    await owners.clearOwner(db, owner_id, id, at())
  }

  /** An audit of a device that counts. */
  const audit = ({ id }: TestNode, state: 'passed' | 'failed' = 'passed', doneAt = at(), counted = true) =>
    env().db.run(sql`
      insert into audits (id, cid, node_id, validator_id, position, state, created_at, done_at, counted)
      values (${randomUUID()}, 'bafk', ${id}, 'server', 0.5, ${state}, ${doneAt}, ${doneAt}, ${counted})`)

  /** A file of an account that is stored on devices. */
  const hold = (account: Person, size: number, ...nodes: TestNode[]) =>
    sampleFile(env().db, account.id, { size, nodes, text: randomUUID() })

  /** An account asks for one of its files on a device. @returns the device reports that it sent the file, and that both signed */
  async function openDownload(reader: Person, node: TestNode, size: number) {
    const { cid } = await hold(reader, size, node)
    const client = clientKey()
    const fresh = { token: await session(reader) }
    const { trace_id } = (await env().call('downloads.own', { asset_cid: cid, receipt_key: client.receiptKey }, fresh))
      .data
    const transfer = (time: number) => ({
      account: reader.uid,
      trace_id,
      cid,
      bytes: size,
      requests: 1000,
      peak: 1,
      time,
      received: size,
      signature: client.signature(trace_id, node.id, cid, size),
      sent: size,
      sent_signature: node.sentSignature(trace_id, cid, size),
    })
    return async (time = env().clock.now()): Promise<void> => {
      const token = await nodeToken(env().context, node.id)
      await env().call('nodeControl.served', { batch: randomUUID(), transfers: [transfer(time)] }, { token })
    }
  }

  /** An account downloads one of its files from a device. @param time what the device says about the time, unix ms */
  async function download(reader: Person, node: TestNode, size: number, time = env().clock.now()): Promise<void> {
    const report = await openDownload(reader, node, size)
    await report(time)
  }

  /** A new session: tests move the clock by days. */
  const session = async ({ id, uid }: Pick<Person, 'id' | 'uid'>): Promise<string> =>
    (await openSession(env().context, env().db, { id, uid }, { ip: '127.0.0.1', agent: 'test' })).token
  const as = async (person: Person) => ({ token: await session(person) })

  /** Moves the clock to a time of the next hour. */
  function toNextHour(ms = 1000): void {
    const now = env().clock.now()
    env().pass(Math.ceil((now + 1) / HOUR) * HOUR - now + ms)
  }
  async function close(): Promise<void> {
    await env().heard()
    await closeHours(env().context)
  }

  return {
    at,
    device,
    setOwner,
    audit,
    hold,
    openDownload,
    download,
    as,
    toNextHour,
    /** Ends the hour, and closes it. */
    async nextHour() {
      toNextHour(6 * MINUTE)
      await close()
    },
    /** Moves the clock to the begin of the next day (UTC). */
    toNextDay(ms = 1000) {
      const now = env().clock.now()
      env().pass(Math.ceil((now + 1) / DAY) * DAY - now + ms)
    },
    close,
    downloadReceipts: () => issueDownloadReceipts(env().context),
    summary: async (person: Person) => (await env().call('earnings.summary', {}, await as(person))).data,
    statement: async (person: Person, node: TestNode, day = at().toISOString().slice(0, 10)) =>
      (await env().call('earnings.statement', { node_id: node.id, day }, await as(person))).data,
    /** What the devices of an account earned in closed hours. */
    earnedBy: ({ id }: Person) =>
      env().db.one<{ traffic: number; storage: number }>(sql`
        select coalesce(sum(traffic), 0)::bigint as traffic, coalesce(sum(storage), 0)::bigint as storage
        from device_days where user_id = ${id}`),
    points: async (person: Person) => (await env().call('rewards.state', {}, await as(person))).data,
    /** What was issued about a device, oldest first, with the numbers of the receipts. */
    receipts: async <K extends 'node_hour' | 'earnings' | 'download'>(kind: K, { id }: TestNode) =>
      (
        await env().db.rows<{ id: number; claims: Stated<K> }>(sql`
          select id, claims from log_queue where claims ->> 'kind' = ${kind} and claims ->> 'node' = ${id} order by id`)
      ).map((row) => ({ id: row.id, ...row.claims })),
  }
}
