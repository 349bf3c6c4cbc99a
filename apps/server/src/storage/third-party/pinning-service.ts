import { MAX_BLOCK_SIZE, parseCid, sameCid } from '@tidenet/content'
import { z } from 'zod'
import { harmlessText } from '../traces/support.ts'
import { type ReplicaStatus, type ThirdParty, ThirdPartyError } from './adapter.ts'
import { bearer, call, readJson, refusal } from './calls.ts'
import type { ProviderSetting } from './config.ts'

const pinStatus = z.object({
  requestid: z.string().min(1).max(500),
  status: z.enum(['queued', 'pinning', 'pinned', 'failed']),
  pin: z.object({
    cid: z.string().max(200),
    meta: z.record(z.string(), z.string()).nullish(),
  }),
  info: z.record(z.string(), z.unknown()).nullish(),
})
const pinResults = z.object({ results: z.array(pinStatus).max(1000) })
type PinStatus = z.infer<typeof pinStatus>

/** The key of a replica in the metadata of its pin. */
const KEY = 'tidenet_replica'
const STATES = { queued: 'queued', pinning: 'inProgress', pinned: 'stored', failed: 'failed' } as const

/**
 * A service with the IPFS Pinning Service API. It fetches the content itself, from the given origins. Blocks are read back from a gateway,
 * because the API has no call for that. Names of files are not sent.
 */
export function createPinningService(setting: Extract<ProviderSetting, { kind: 'pinning' }>): ThirdParty {
  const { name, url, token, gateway, origins: fixed } = setting
  const api = (path: string, more: Parameters<typeof call>[1]) =>
    call(`${url}/pins${path}`, { ...more, headers: { ...bearer(token), ...more.headers } })

  /** The pins of a replica, as the service lists them. */
  async function findPins(cid: string, key: string, states: string, signal: AbortSignal): Promise<PinStatus[]> {
    const query = new URLSearchParams({ cid, status: states, meta: JSON.stringify({ [KEY]: key }) })
    const { status, bytes } = await api(`?${query}`, { signal })
    if (status !== 200) throw refusal(status, bytes)
    // A service may ignore the filter.
    return parse(pinResults, bytes).results.filter(({ pin }) => pin.meta?.[KEY] === key)
  }

  return {
    name,
    kind: 'pinning',
    simulated: false,

    async add({ cid, key }, { origins, signal }) {
      const text = cid.toString()
      // It was added before, and the answer was lost.
      const [found] = await findPins(text, key, 'queued,pinning,pinned', signal)
      if (found) return found.requestid
      const from = [...fixed, ...origins].slice(0, 20)
      if (from.length === 0) throw new ThirdPartyError('origin', 'there is no address that the service can fetch from')
      const pin = { cid: text, name: 'tidenet', origins: from, meta: { [KEY]: key } }
      const { status, bytes } = await api('', {
        post: Buffer.from(JSON.stringify(pin)),
        headers: { 'content-type': 'application/json' },
        // A second order would make a second pin.
        once: true,
        signal,
      })
      if (status !== 202 && status !== 200) throw refusal(status, bytes)
      return requireSame(parse(pinStatus, bytes), text).requestid
    },

    async status(id, { cid }, signal): Promise<ReplicaStatus> {
      const { status, bytes } = await api(`/${encodeURIComponent(id)}`, { signal })
      if (status === 404) return { state: 'failed', detail: 'the service does not know the pin' }
      if (status !== 200) throw refusal(status, bytes)
      const { status: said, info, requestid } = requireSame(parse(pinStatus, bytes), cid.toString())
      const details = info?.status_details
      return {
        state: STATES[said],
        provider: name,
        dealId: requestid,
        ...(typeof details === 'string' && { detail: harmlessText(details.slice(0, 300)) }),
      }
    },

    async remove(id, { cid, key }, signal) {
      const left = () => findPins(cid.toString(), key, 'queued,pinning,pinned,failed', signal)
      // The answer to the order was lost: it may have a pin whose id is not known.
      const ids = new Set([...(id === '' ? [] : [id]), ...(await left()).map(({ requestid }) => requestid)])
      for (const each of ids) {
        const { status, bytes } = await api(`/${encodeURIComponent(each)}`, { method: 'DELETE', signal })
        if (![200, 202, 204, 404].includes(status)) throw refusal(status, bytes)
      }
      // A wrong address answers 404 too: only a list without the pin confirms that it is gone.
      if ((await left()).length > 0) throw new ThirdPartyError('refused', 'the service still lists the pin')
    },

    async readBlock(cid, signal) {
      const { status, bytes } = await call(`${gateway}/ipfs/${cid}?format=raw`, {
        headers: { accept: 'application/vnd.ipld.raw' },
        most: MAX_BLOCK_SIZE,
        signal,
      })
      if (status !== 200) throw refusal(status, bytes)
      return bytes
    },
  }
}

function parse<T>(schema: z.ZodType<T>, bytes: Buffer): T {
  const parsed = schema.safeParse(readJson(bytes))
  if (!parsed.success) throw new ThirdPartyError('refused', 'the answer of the service does not follow the API')
  return parsed.data
}

function requireSame(said: PinStatus, cid: string): PinStatus {
  if (sameText(said.pin.cid, cid)) return said
  throw new ThirdPartyError('refused', 'the service answered for another content')
}

function sameText(one: string, other: string): boolean {
  try {
    return sameCid(parseCid(one), parseCid(other))
  } catch {
    return false
  }
}
