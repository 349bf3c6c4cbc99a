import { createHash } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import type { As, TestEnv } from '../../test-env.fixture.ts'

/** Puts objects as gateways do: a node has the bytes and has signed a receipt. */
export function sampleObjects(env: () => TestEnv) {
  const md5Of = (text: string) => createHash('md5').update(text).digest('hex')
  const fileOf = async (uid: string, key: string, text: string) => {
    const cid = (await rawCid(new TextEncoder().encode(text))).toString()
    const node = await env().node()
    const size = text.length
    const receipt = size === 0 ? undefined : await node.receipt({ sub: uid, cid, size })
    return { item: 0, key, cid, size, receipt, md5: md5Of(text), etag: md5Of(text) }
  }
  type File = Awaited<ReturnType<typeof fileOf>>
  return {
    md5Of,
    fileOf,
    put: async (
      as: As,
      uid: string,
      bucket: string,
      objects: Record<string, string>,
      more: Partial<File & { upload_id: string; if_match: string }> &
        Partial<Record<'headers' | 'metadata' | 'checksums', Record<string, string>>> = {},
    ) => {
      const files = await Promise.all(
        Object.entries(objects).map(async ([key, text], item) => ({
          ...(await fileOf(uid, key, text)),
          ...more,
          item,
        })),
      )
      return env().call('s3.put', { bucket, files }, as)
    },
    keys: async (
      as: As,
      bucket: string,
      more: Partial<{ prefix: string; delimiter: string; after: string; limit: number }> = {},
    ) => {
      const { data } = await env().call('s3.list', { bucket, ...more }, as)
      return { keys: data.objects.map(({ key }) => key), prefixes: data.prefixes, next: data.next }
    },
  }
}
