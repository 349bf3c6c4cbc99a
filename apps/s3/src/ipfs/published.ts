import { createHash } from 'node:crypto'
import { type Cid, cidOfDigest } from '@tidenet/content/cid'
import { readNode } from '@tidenet/content/unixfs'
import { verifyBlock } from '@tidenet/content/verify'
import { errors } from '@tidenet/contract'
import { clientNetworkOf } from '@tidenet/daemon'
import {
  BlockWithheld,
  createTransfers,
  type Failure,
  isSuccess,
  type OpenBlocks,
  Stop,
} from '@tidenet/storage/gateway'
import { createLru } from '../lru.ts'
import { DAG_PB, RAW } from './read-cid.ts'
import { Refusal } from './refusal.ts'
import { texts } from './texts.ts'

/** What the server told about a publication that has a block. */
export interface Found {
  id: number
  root: string
  kind: 'file' | 'folder'
  name: string
  size: number
  blocks: number
  /** The block is an inner node. */
  inner: boolean
  /** A folder of several contents. */
  composed: boolean
}

/** Reads verified blocks of one publication. @throws Refusal, and Stop if the nodes fail */
export type ReadBlock = (cid: Cid, signal: AbortSignal) => Promise<Uint8Array>

export interface Published {
  /** The publications that have the block with this SHA-256; empty: none, whatever accounts have privately. */
  find(digest: Uint8Array, partOf?: number): Promise<readonly Found[]>
  /** Opens the first of these that can be read. @throws Refusal */
  open(found: readonly Found[], ip: string): Promise<{ found: Found; read: ReadBlock }>
  stop(): Promise<void>
}

/** For so long an answer of the server is used again: a publication that ended is served no longer than that. */
const FOUND_MS = 1000
const FOUND_MAX = 2000
/** Requests of one client share nodes and a trace for so long, or until they have read the content once. */
const SESSION_MS = 60_000
const SESSIONS_MAX = 500
const SESSION_BYTES_MIN = 1 << 20
/** One that nobody uses for so long ends, so that its traffic counts soon. */
const SESSION_IDLE_MS = 5000
/** What is read when the gateway stops is counted within this time, or not at all. */
const STOP_MS = 4000
/** Folders and nodes of files that are kept, in bytes, and for how long: what is blocked meanwhile is served no longer than that. */
const INNER_MAX = 64 << 20
const INNER_MS = 10_000
/** Bytes of one answer apart from those of the content, which links to the same block can repeat without end. */
const REPEATED = 4
const REPEATED_MIN = 64 << 20
/** Blocks of a folder of several contents of which it is known to which part they belong. */
const OWNERS_MAX = 20_000
const EMPTY = createHash('sha256').digest()

interface Session {
  blocks: Promise<OpenBlocks>
  since: number
  /** When a block was asked for the last time. */
  used: number
  most: number
  /** Blocks that are being read. */
  active: number
  isOver: boolean
}

/** @param secret of the operator's gateways */
export function createPublished(server: string, secret: string, now: () => number): Published {
  const transfers = createTransfers({
    url: server,
    token: '',
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${secret}` },
      }),
  })
  const answers = createLru<{ at: number; list: Promise<readonly Found[]> }>(FOUND_MAX)
  const inner = createLru<{ bytes: Uint8Array; at: number }>(INNER_MAX, ({ bytes }) => bytes.length)
  const sessions = createLru<Session>(SESSIONS_MAX, undefined, end)
  const endings = new Set<Promise<void>>()
  const sweep = setInterval(() => {
    const at = now()
    for (const [key, { active, used, since }] of sessions.entries())
      if ((active === 0 && at - used >= SESSION_IDLE_MS) || at - since >= SESSION_MS) sessions.delete(key)
  }, SESSION_IDLE_MS)
  sweep.unref()

  function end(session: Session): void {
    session.isOver = true
    if (session.active > 0) return
    const ending = session.blocks.then((opened) => opened.end()).catch(() => {})
    endings.add(ending)
    void ending.then(() => endings.delete(ending))
  }
  const readIn = async (session: Session, cid: Cid, signal: AbortSignal): Promise<Uint8Array> => {
    session.active += 1
    session.used = now()
    try {
      const bytes = await (await session.blocks).get(cid, signal)
      session.most -= bytes.length
      return bytes
    } catch (error) {
      throw error instanceof BlockWithheld ? new Refusal(451, texts.blocked) : error
    } finally {
      session.active -= 1
      if (session.isOver) end(session)
    }
  }

  async function ask(digest: string, partOf?: number): Promise<readonly Found[]> {
    const answer = await transfers.api.call('publications.find', { digest, part_of: partOf })
    if (isSuccess(answer)) return answer.data.list
    throw new Refusal(503, texts.unavailable, { 'retry-after': '5' })
  }
  const session = (found: Found, ip: string): Session => {
    const key = `${found.id} ${clientNetworkOf(ip)}`
    const known = sessions.get(key)
    if (known && now() - known.since < SESSION_MS && known.most > 0) return known
    const blocks = transfers
      .openBlocks((receipt_key) => transfers.api.call('publications.open', { id: found.id, ip, receipt_key }))
      .then((opened) => {
        if (isSuccess(opened)) return opened.data
        sessions.delete(key)
        throw refusalOf(opened)
      })
    blocks.catch(() => {})
    const at = now()
    const most = Math.max(found.size, SESSION_BYTES_MIN)
    const opened = { blocks, since: at, used: at, most, active: 0, isOver: false }
    sessions.set(key, opened)
    return opened
  }
  const find = (digest: Uint8Array, partOf?: number): Promise<readonly Found[]> => {
    const hex = Buffer.from(digest).toString('hex')
    const key = `${hex} ${partOf ?? ''}`
    const known = answers.get(key)
    if (known && now() - known.at < FOUND_MS) return known.list
    const list = ask(hex, partOf)
    answers.set(key, { at: now(), list })
    list.catch(() => answers.delete(key))
    return list
  }
  /** Nodes that were read lately. */
  const remembered = async (found: Found, cid: Cid, read: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    const key = `${found.id} ${digestKey(cid)}`
    const kept = cid.code === DAG_PB ? inner.get(key) : undefined
    if (kept && now() - kept.at < INNER_MS) return kept.bytes
    const bytes = await read()
    if (hasOnlyLinks(cid, bytes)) inner.set(key, { bytes, at: now() })
    return bytes
  }
  const readFrom = (found: Found, ip: string, cid: Cid, signal: AbortSignal) =>
    remembered(found, cid, () => readIn(session(found, ip), cid, signal))

  /** Reads a folder of several contents: its nodes from the server, everything else through its parts. */
  const composedReader = (folder: Found, ip: string): ReadBlock => {
    /** The parts to which blocks belong that were read, so that nobody has to be asked for every leaf. */
    const owners = createLru<Found>(OWNERS_MAX)
    const node = async (cid: Cid): Promise<Uint8Array> => {
      const digest = Buffer.from(cid.multihash.digest).toString('hex')
      const answer = await transfers.api.call('publications.node', { id: folder.id, digest })
      if (!isSuccess(answer)) throw refusalOf(answer)
      const bytes = new Uint8Array(Buffer.from(answer.data.bytes, 'base64'))
      await verifyBlock(cid, bytes)
      return bytes
    }
    return async (cid, signal) => {
      const { digest } = cid.multihash
      let part = owners.get(digestKey(cid))
      if (!part && cid.code === DAG_PB) {
        const all = await find(digest)
        if (all.some(({ id }) => id === folder.id)) return remembered(folder, cid, () => node(cid))
      }
      part ??= (await find(digest, folder.id))[0]
      if (!part) throw new Refusal(404, texts.ended)
      const bytes = await readFrom(part, ip, cid, signal)
      if (cid.code === DAG_PB) for (const { cid: link } of readNode(cid, bytes).links) owners.set(digestKey(link), part)
      return bytes
    }
  }
  return {
    find,
    async open(all, ip) {
      let failure: unknown = new Refusal(404, texts.notFound)
      for (const found of all)
        try {
          if (!found.composed) await session(found, ip).blocks
          const readBlock = found.composed
            ? composedReader(found, ip)
            : (cid: Cid, signal: AbortSignal) => readFrom(found, ip, cid, signal)
          let left = REPEATED * found.size + REPEATED_MIN
          const read: ReadBlock = async (cid, signal) => {
            // No node stores it.
            if (Buffer.compare(cid.multihash.digest, EMPTY) === 0) return new Uint8Array()
            if (left <= 0) throw new Refusal(429, texts.traffic, { 'retry-after': '60' })
            const bytes = await readBlock(cid, signal)
            left -= bytes.length
            return bytes
          }
          return { found, read }
        } catch (error) {
          failure = moreTelling(failure, error)
        }
      throw failure
    },
    async stop() {
      clearInterval(sweep)
      for (const [key] of sessions.entries()) sessions.delete(key)
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref())
      await Promise.race([Promise.all(endings), timeout])
    },
  }
}

/** What has bytes of files is read from nodes each time, so that it counts. */
function hasOnlyLinks(cid: Cid, bytes: Uint8Array): boolean {
  if (cid.code !== DAG_PB) return false
  try {
    const node = readNode(cid, bytes)
    return node.kind === 'directory' || node.kind === 'shard' || node.data.length === 0
  } catch {
    return false
  }
}

/** A SHA-256 as a key, whatever codec the CID names. */
const digestKey = ({ multihash }: Cid): string => Buffer.from(multihash.digest).toString('latin1')

/** Of several publications: one that can be read again soon, then one that can be read later, then that there is none. */
function moreTelling(one: unknown, other: unknown): unknown {
  const rank = (error: unknown) => {
    const status = refusalOfRead(error)?.status
    return status === 503 ? 2 : status === 429 ? 1 : status === undefined ? 3 : 0
  }
  return rank(other) > rank(one) ? other : one
}

function refusalOf({ data }: Failure): Refusal {
  switch (data.err) {
    case errors.notFound.err:
    case errors.contentBlocked.err:
      return new Refusal(404, texts.notFound)
    case errors.downloadQuotaExceeded.err:
    case errors.visitorTrafficUsedUp.err:
      return new Refusal(429, texts.traffic, { 'retry-after': '3600' })
    default:
      return new Refusal(503, texts.unavailable, { 'retry-after': '30' })
  }
}

/** The refusal for an error of reading; undefined: it is not known. */
export const refusalOfRead = (error: unknown): Refusal | undefined =>
  error instanceof Refusal
    ? error
    : error instanceof Stop
      ? new Refusal(503, texts.unavailable, { 'retry-after': '30' })
      : undefined

/** A block as nodes know it. */
export const blockCid = (digest: Uint8Array, isInner: boolean): Cid => cidOfDigest(isInner ? DAG_PB : RAW, digest)
