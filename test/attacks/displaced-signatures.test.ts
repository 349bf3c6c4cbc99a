import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { clientKey } from '../../apps/server/src/storage/download-traffic/client-key.fixture.ts'
import { READS_PER_TRACE } from '../../apps/server/src/storage/download-traffic/served.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** Whether a node can take the signed traffic of another node of the same download. */

const SIZE = 1_000_000

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

type Node = Awaited<ReturnType<TestEnv['node']>>

describe('a node that reports the most bytes of a download that it did not send', () => {
  it('does not take the signed bytes of an honest node, whichever is reported first, nor charges more', async () => {
    for (const parts of [[{ bytes: SIZE, signed: true }], [{ bytes: SIZE }, { bytes: 0, signed: true }]]) {
      const [owner, honest, hostile] = [
        await env.person({ vip: true }),
        await env.node({ kind: 'edge', vetted: true }),
        await env.node({ kind: 'edge', vetted: true }),
      ]
      const { cid } = await sampleFile(env.db, owner.id, { size: SIZE, nodes: [honest, hostile] })
      const client = clientKey()
      const asked = { asset_cid: cid, receipt_key: client.receiptKey }
      const { trace_id } = (await env.call('downloads.own', asked, owner)).data
      const served = (node: Node, more: object) =>
        env.call(
          'nodeControl.served',
          {
            batch: randomUUID(),
            transfers: [
              { account: owner.uid, trace_id, cid, requests: 1, peak: 0, time: env.clock.now(), bytes: 0, ...more },
            ],
          },
          { token: node.token },
        )
      await served(hostile, { bytes: 2_000_000_000, requests: 1_000_000 })
      for (const { bytes, signed } of parts as { bytes: number; signed?: boolean }[])
        await served(honest, {
          bytes,
          ...(signed && {
            received: SIZE,
            signature: client.signature(trace_id, honest.id, cid, SIZE),
            sent: SIZE,
            sent_signature: honest.sentSignature(trace_id, cid, SIZE),
          }),
        })
      expect(
        await env.db.one(sql`select sum(signed)::bigint as signed from node_traffic where node_id = ${honest.id}`),
      ).toEqual({ signed: SIZE })
      const { sent } = await env.db.one<{ sent: number }>(
        sql`select sum(sent)::bigint as sent from usage_hours where user_id = ${owner.id}`,
      )
      expect(sent).toBeLessThanOrEqual(READS_PER_TRACE * (SIZE * 1.125 + 65_536))
    }
  })
})
