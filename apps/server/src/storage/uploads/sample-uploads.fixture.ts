import { rawCid } from '@tidenet/content/cid'
import type { TestEnv } from '../../test-env.fixture.ts'

export function sampleUploads(env: () => TestEnv) {
  const cidOf = async (text: string) => (await rawCid(new TextEncoder().encode(text))).toString()
  return {
    cidOf,

    /** Another account has uploaded this text: it has a receipt and is listed. */
    async stored(person: { uid: string; token: string }, text: string, more: { md5?: string; areas?: string[] } = {}) {
      const node = await env().node()
      const cid = await cidOf(text)
      const receipt = await node.receipt({ sub: person.uid, cid, size: text.length })
      const answer = await env().call(
        'assets.create',
        {
          asset_name: 'a.txt',
          asset_type: 'file',
          asset_size: text.length,
          asset_cid: cid,
          receipt,
          md5: more.md5 ?? '',
          area_id: more.areas,
        },
        person,
      )
      return { cid, answer, node }
    },
  }
}
