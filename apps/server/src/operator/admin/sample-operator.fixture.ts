import { randomBytes } from 'node:crypto'
import { rawCid } from '@tidenet/content'
import { type ErrorKey, errors } from '@tidenet/contract'
import type { Person, TestEnv } from '../../test-env.fixture.ts'

export const reason = 'asked for by mail'
export const err = (key: ErrorKey) => ({ code: -1, err: errors[key].err })

/** For tests: what happens while an operator works. `env` and `operator` are set up later. */
export function sampleOperator(env: () => TestEnv, operator: () => Person) {
  return {
    /** Credentials are cached for half a second. */
    later: () => env().pass(1000),
    async upload(owner: Person, size = 20) {
      const node = await env().node()
      const asset_cid = (await rawCid(randomBytes(20))).toString()
      const receipt = await node.receipt({ sub: owner.uid, cid: asset_cid, size })
      const input = {
        asset_name: 'a.txt',
        asset_cid,
        asset_size: size,
        asset_type: 'file',
        receipt,
        node_id: node.id,
      } as const
      return { ...(await env().call('assets.create', input, owner)), cid: asset_cid }
    },
    logged: async (subject: string) =>
      (await env().call('admin.audit', { subject }, operator())).data.list.map(({ action, result, actor, detail }) => ({
        action,
        result,
        actor,
        detail,
      })),
  }
}
