import { randomBytes } from 'node:crypto'
import { MAX_BLOCK_SIZE, parseCid, sameCid } from '@tidenet/content'
import { z } from 'zod'
import { type ThirdParty, ThirdPartyError } from './adapter.ts'
import { bearer, call, readJson, refusal } from './calls.ts'
import type { ProviderSetting } from './config.ts'

const imported = z.object({
  Root: z.object({ Cid: z.object({ '/': z.string() }), PinErrorMsg: z.string().optional() }).optional(),
})
const failure = z.object({ Message: z.string() })
const pins = z.object({ Keys: z.record(z.string(), z.unknown()) })
const identity = z.object({ Addresses: z.array(z.string().max(500)).max(100).nullable() })

/**
 * A Kubo node by its RPC: imports the content as a CAR, and pins it. Everything is asked offline, so that Kubo does not fetch what it lacks
 * from others, which could be nodes of this network.
 */
export function createKubo({ name, url, token }: Extract<ProviderSetting, { kind: 'kubo' }>): ThirdParty {
  const rpc = (path: string, query: Record<string, string>, more: Parameters<typeof call>[1]) =>
    call(`${url}/api/v0/${path}?${new URLSearchParams({ ...query, offline: 'true' })}`, {
      ...more,
      method: 'POST',
      headers: { ...bearer(token), ...more.headers },
    })
  return {
    name,
    kind: 'kubo',
    simulated: false,

    async add({ cid, size }, { car, signal }) {
      const boundary = randomBytes(16).toString('hex')
      const { status, bytes } = await rpc(
        'dag/import',
        { 'pin-roots': 'true', 'allow-big-block': 'true' },
        {
          post: form(boundary, car()),
          headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
          withinMs: importTimeout(size),
          signal,
        },
      )
      if (status !== 200) throw refusal(status, bytes)
      // One JSON object per line; errors too, after the status.
      for (const line of bytes.toString().split('\n').filter(Boolean)) {
        const json = readJson(Buffer.from(line))
        const failed = failure.safeParse(json)
        if (failed.success) throw refusal(status, Buffer.from(failed.data.Message))
        const root = imported.safeParse(json).data?.Root
        if (root?.PinErrorMsg) throw refusal(status, Buffer.from(root.PinErrorMsg))
        if (root && sameCid(parseCid(root.Cid['/']), cid)) return cid.toString()
      }
      throw new ThirdPartyError('refused', 'the node did not confirm the pin')
    },

    async status(_, { cid }, signal) {
      const { status, bytes } = await rpc('pin/ls', { arg: cid.toString(), type: 'recursive' }, { signal })
      if (status === 200) {
        const keys = Object.keys(pins.safeParse(readJson(bytes)).data?.Keys ?? {})
        return { state: keys.length > 0 ? 'stored' : 'failed', provider: name }
      }
      if (status === 500 && isNotPinned(bytes)) return { state: 'failed', detail: 'not pinned' }
      throw refusal(status, bytes)
    },

    async remove(_, { cid }, signal) {
      const { status, bytes } = await rpc('pin/rm', { arg: cid.toString() }, { signal })
      if (status !== 200 && !(status === 500 && isNotPinned(bytes))) throw refusal(status, bytes)
    },

    async readBlock(cid, signal) {
      const { status, bytes } = await rpc('block/get', { arg: cid.toString() }, { most: MAX_BLOCK_SIZE, signal })
      if (status !== 200) throw refusal(status, bytes)
      return bytes
    },

    async origins(signal) {
      const { status, bytes } = await rpc('id', {}, { signal })
      if (status !== 200) throw refusal(status, bytes)
      return identity.parse(readJson(bytes)).Addresses ?? []
    },
  }
}

/** Ms: below the lease of a replica, so that no other server begins meanwhile. At least 100 kB/s are expected. */
const importTimeout = (size: number): number => 60_000 + size / 50

const isNotPinned = (bytes: Buffer): boolean =>
  /not pinned/.test(failure.safeParse(readJson(bytes)).data?.Message ?? '')

async function* form(boundary: string, car: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="content.car"\r\ncontent-type: application/octet-stream\r\n\r\n`,
  )
  yield* car
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}
