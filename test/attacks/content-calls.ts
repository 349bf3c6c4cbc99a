import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { expect } from 'vitest'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { PROOF_MIN_BYTES } from '../../apps/server/src/storage/uploads/proofs.ts'
import type { Person, TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** Bytes of a content that is large enough for a proof of possession. */
export const LARGE = PROOF_MIN_BYTES * 3

export const cidOf = async (text: string): Promise<string> => (await rawCid(new TextEncoder().encode(text))).toString()

/** Calls that list contents. @param current called each time, because the environment is set up later */
export function contentCalls(current: () => { env: TestEnv; node: Awaited<ReturnType<TestEnv['node']>> }) {
  const create = (
    who: { token: string },
    cid: string,
    more: { size?: number; receipt?: string; proof?: string; md5?: string; areas?: string[] } = {},
  ) => {
    const { size = LARGE, areas, ...rest } = more
    return current().env.call(
      'assets.create',
      { asset_name: 'a.bin', asset_type: 'file', asset_size: size, asset_cid: cid, area_id: areas, ...rest },
      who,
    )
  }

  /** A content that `who` uploaded and listed. */
  async function stored(who: Person, more: { size?: number; md5?: string; areas?: string[]; text?: string } = {}) {
    const { text = randomUUID(), ...rest } = more
    const cid = await cidOf(text)
    const receipt = await current().node.receipt({ sub: who.uid, cid, size: rest.size ?? LARGE })
    expect((await create(who, cid, { receipt, ...rest })).code).toBe(0)
    return { cid, receipt }
  }

  /** The states of a content's replicas by node id. */
  async function replicas(cid: string): Promise<Record<string, string>> {
    const rows = await current().env.db.rows<{ node_id: string; state: string }>(
      sql`select node_id, state from replicas where cid = ${cid}`,
    )
    return Object.fromEntries(rows.map((row) => [row.node_id, row.state]))
  }

  return { create, stored, replicas }
}
