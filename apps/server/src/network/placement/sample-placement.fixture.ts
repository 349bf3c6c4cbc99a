import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { DAY } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Person, TestEnv } from '../../test-env.fixture.ts'
import { sendHeartbeat } from '../control/sample-registration.fixture.ts'
import { nodeToken } from '../nodes/node-session.ts'
import { timesOf } from '../nodes/times.ts'

export type Node = Awaited<ReturnType<TestEnv['node']>>
export const times = timesOf({ pace: 'quick' })
export const SIZE = 10

/** For tests: files of a person on nodes, and what nodes report. `env` and `person` are set up later. */
export function samplePlacement(env: () => TestEnv, person: () => Person) {
  /** Calls with a new token, because tests move the clock. */
  const call = async <T>(node: Node, run: (token: string) => Promise<T>) => run(await nodeToken(env().context, node.id))

  const listed = (cid: string, owner: Person, areas: string[] = []) =>
    env().db.run(sql`
      insert into assets (user_id, cid, kind, name, size, areas, created_at, expires_at)
      values (${owner.id}, ${cid}, 'file', 'a', ${SIZE}, ${areas}, ${new Date(env().clock.now())},
        ${new Date(env().clock.now() + 549 * DAY)})`)

  /** A file of the person on some nodes; restricted to `areas` if given. */
  async function file(holders: readonly Node[], { areas }: { areas?: string[] } = {}): Promise<string> {
    const cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
    for (const node of holders) {
      const receipts = [await node.receipt({ sub: person().uid, cid, size: SIZE })]
      await call(node, (token) => env().call('nodeControl.receipts', { receipts }, { token }))
    }
    await listed(cid, person(), areas)
    return cid
  }

  const heartbeat = (node: Node, more?: Parameters<typeof sendHeartbeat>[2]) => sendHeartbeat(env(), node, more)
  const report = (
    node: Node,
    cid: string,
    state: 'stored' | 'failed' | 'removed' | 'missing',
    more: { size?: number; full?: boolean; source?: string; bad_sources?: { node_id: string; error: string }[] } = {},
  ) =>
    call(node, (token) =>
      env().call('nodeControl.replicas', { results: [{ cid, state, size: SIZE, ...more }] }, { token }),
    )

  return {
    call,
    listed,
    file,
    heartbeat,
    report,
    states: async (cid: string): Promise<Record<string, string>> => {
      const query = sql`select node_id, state from replicas where cid = ${cid}`
      const rows = await env().db.rows<{ node_id: string; state: string }>(query)
      return Object.fromEntries(rows.map(({ node_id, state }) => [node_id, state]))
    },
    counts: (cid: string) =>
      env().db.maybe<{ wanted: number; stored: number }>(sql`select wanted, stored from contents where cid = ${cid}`),
    /** Completes all work of a node. */
    async work(node: Node): Promise<void> {
      for (const piece of await heartbeat(node)) {
        if (piece.type === 'pull') await report(node, piece.cid, 'stored')
        if (piece.type === 'remove') await report(node, piece.cid, 'removed')
      }
    },
  }
}
