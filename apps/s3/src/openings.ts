import type { S3Object } from '@tidenet/contract'
import { CHUNK_SIZE, DOWNLOAD_TOKEN_LIFE } from '@tidenet/contract/constants'
import type { OpenContent } from '@tidenet/storage/gateway'
import type { Caller } from './access.ts'
import { createLru } from './lru.ts'
import { needVersion } from './refusals.ts'

/** An object as a request names it. */
export interface Named {
  bucket: string
  key: string
  version_id?: string
}

/** Bytes [start, end). */
export interface Part {
  start: number
  end: number
}

/** Who asks for a part, until when. */
export interface Reader {
  caller: Caller
  accessKeyId: string
  signal: AbortSignal
}

/** Contents that requests for parts share: clients read a large object in many ranges at the same time, which together are one download. */
export interface Openings {
  /**
   * Opens an object. Every request is authorized by the portal, which also says what the object is now.
   * @param partOf which part of the object is read
   * @throws S3Error
   */
  open(
    reader: Reader,
    named: Named,
    partOf: (object: S3Object) => Part,
  ): Promise<{ object: S3Object; content: OpenContent }>
  /** Reports what was read. */
  stop(): void
}

const OPENINGS_MAX = 200
/** How long an opening that nobody reads waits for the next request. */
const IDLE_MS = 60_000
/** Tokens stay valid for as long again, for requests that are running then. */
const LIFE_MS = DOWNLOAD_TOKEN_LIFE / 2
/** Nodes send whole leaves, and count at most four reads of a content for one opening; see `READS_PER_TRACE` of the server. */
const READS_MAX = 3

interface Opened {
  object: S3Object
  content: OpenContent
  /** Bytes that requests can still ask for: together they are one read, as a cap of traffic reserves it. */
  room: number
  /** Bytes that nodes may have to send for these requests. */
  cost: number
  readers: number
  isRead: boolean
  isOver: boolean
  /** Runs while there are no readers. */
  idle: NodeJS.Timeout
  forgetLater(): NodeJS.Timeout
}

interface Opening {
  since: number
  opened: Promise<Opened>
}

export function createOpenings(now: () => number): Openings {
  const openings = createLru<Opening>(
    OPENINGS_MAX,
    undefined,
    ({ opened }) => void opened.then(retire, () => {}),
    // Of a key that could have a cap of traffic, for which the next opening would count again.
    (name) => (JSON.parse(name) as string[])[0] ?? '',
  )

  const begin = (name: string, { caller }: Reader, named: Named): Opening => {
    const ask = (receipt_key: string) => caller.transfers.api.call('s3.open', { ...named, receipt_key })
    // Requests that share it have signals of their own.
    const opened = caller.transfers.open(ask, new AbortController().signal).then((answer): Opened => {
      const { object, content } = needVersion(answer, named.version_id)
      const forgetLater = () => setTimeout(() => forget(name, opening), IDLE_MS).unref()
      return {
        object,
        content,
        room: object.size,
        cost: 0,
        readers: 0,
        isRead: false,
        isOver: false,
        forgetLater,
        idle: forgetLater(),
      }
    })
    const opening: Opening = { since: now(), opened }
    openings.set(name, opening)
    opened.catch(() => forget(name, opening))
    return opening
  }
  const forget = (name: string, opening: Opening) => {
    if (openings.get(name) === opening) openings.delete(name)
  }

  const lease = (name: string, opening: Opening, opened: Opened, part: Part, signal: AbortSignal): OpenContent => {
    const size = part.end - part.start
    let sent = 0
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', end)
      opened.readers -= 1
      opened.room += size - sent
      if (opened.readers > 0) return
      if (opened.isOver) return report(opened)
      // Nothing can be read from it any more.
      if (opened.room <= 0) return forget(name, opening)
      opened.idle = opened.forgetLater()
    }
    clearTimeout(opened.idle)
    opened.readers += 1
    opened.room -= size
    opened.cost += costOf(part, opened.object.size)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    return {
      async *read(start, to, how) {
        try {
          for await (const piece of opened.content.read(start, to, { reuse: false, ...how, signal })) {
            sent += piece.length
            opened.isRead = true
            yield piece
          }
        } catch (error) {
          // Its nodes have failed. The next request gets new addresses.
          if (!signal.aborted) forget(name, opening)
          throw error
        }
      },
      end: async () => end(),
    }
  }

  /** Without a pause between the last check and a lease or a new opening: requests at the same time would all find room, or none. */
  return {
    async open(reader, named, partOf) {
      const name = JSON.stringify([reader.accessKeyId, named.bucket, named.key, named.version_id])
      if (openings.get(name)) {
        const object = needVersion(await reader.caller.transfers.api.call('s3.find', named), named.version_id)
        const part = partOf(object)
        let tried: Opening | undefined
        for (let opening = openings.get(name); opening && opening !== tried; opening = openings.get(name)) {
          tried = opening
          const opened = await opening.opened.catch(() => undefined)
          const isYoung = now() - opening.since < LIFE_MS
          if (opened && isYoung && !opened.isOver && isSameContent(opened.object, object) && hasRoom(opened, part))
            return { object, content: lease(name, opening, opened, part, reader.signal) }
        }
      }
      const opening = begin(name, reader, named)
      const opened = await opening.opened
      const { object } = opened
      return { object, content: lease(name, opening, opened, partOf(object), reader.signal) }
    },
    stop() {
      for (const [name] of openings.entries()) openings.delete(name)
    },
  }
}

const isSameContent = (one: S3Object, other: S3Object): boolean =>
  one.asset_id === other.asset_id && one.version === other.version && one.cid === other.cid

const hasRoom = (opened: Opened, part: Part): boolean =>
  part.end - part.start <= opened.room &&
  opened.cost + costOf(part, opened.object.size) <= READS_MAX * opened.object.size

/** Bytes of the leaves that have the part. */
function costOf({ start, end }: Part, size: number): number {
  const from = start - (start % CHUNK_SIZE)
  return Math.min(size, Math.ceil(end / CHUNK_SIZE) * CHUNK_SIZE) - from
}

/** It is shared no longer. Requests that are running go on. */
function retire(opened: Opened): void {
  if (opened.isOver) return
  opened.isOver = true
  clearTimeout(opened.idle)
  if (opened.readers === 0) report(opened)
}

function report({ content, isRead }: Opened): void {
  if (isRead) void content.end(true)
}
