import { createHmac } from 'node:crypto'
import { TRACE } from '@tidenet/contract'
import { visitorNetworkOf } from '@tidenet/daemon'
import {
  countryOfAddress,
  FIRST_BYTE_SLOTS,
  type FirstByteSample,
  type FirstBytes,
  findFirstBytes,
  recordFirstBytes,
} from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { FIRST_BYTE, RATE, rangeOf } from './measures.ts'
import * as repository from './repository.ts'

/**
 * Who reads where, and how long they wait. Of a reader, only the country of the address is stored, as a count per file and day, and a
 * pseudonym of the network for a day, so that each network counts once.
 */

type Deps = Pick<Context, 'config' | 'keys' | 'log'>

/** The country of an address; undefined if it is private or not known. */
export async function countryOfReader({ config, log }: Pick<Deps, 'config' | 'log'>, ip: string) {
  try {
    return await countryOfAddress(config.countryDatabase, ip)
  } catch (error) {
    log.error({ err: error }, 'the database of countries cannot be read; downloads count for no area')
    return undefined
  }
}

const hash = ({ keys }: Pick<Deps, 'keys'>, text: string): Buffer =>
  createHmac('sha256', keys.pepper).update(text).digest()

/** A pseudonym of a client network, of one account and day. */
const readerOf = (deps: Pick<Deps, 'keys'>, userId: number, ip: string, at: Date): string =>
  hash(deps, `reader of ${userId} ${repository.dayOf(at)} ${visitorNetworkOf(ip)}`)
    .toString('base64url')
    .slice(0, 22)

/** Readers of a new area wait for a review at most this time; many of them bring about one review. */
const SOON_MS = 10_000

/** What the order of sources depends on, for a reader of accelerated content. */
export interface NearReader {
  country: string
  firstBytes: FirstBytes
}

/**
 * Counts a download of a file whose owner has a plan with acceleration.
 * @returns how long readers there wait for each node, if the content is accelerated
 */
export async function countReader(
  context: Deps & Pick<Context, 'db' | 'clock'>,
  { userId, cid, ip }: { userId: number; cid: string; ip: string },
): Promise<NearReader | undefined> {
  const country = await countryOfReader(context, ip)
  if (country === undefined) return undefined
  const at = now(context)
  const { db } = context
  const near = await repository.findReady(db, userId, cid, country)
  const reader = readerOf(context, userId, ip, at)
  const accelerated = near?.ready_at != null
  const isFirst = (await repository.addRead(db, { userId, cid, country, reader, accelerated }, at)) > 0
  // Where nobody read before, copies should arrive soon.
  if (isFirst && near?.ready_at == null) await repository.hasten(db, userId, new Date(at.getTime() + SOON_MS))
  return near && { country, firstBytes: await findFirstBytes(context, country, at) }
}

/** Measurements of a download, as its client reported them. */
export interface Measurement {
  /** The account that pays, and the content. */
  userId: number
  cid: string
  /** Bytes of the content. */
  size: number
  openedAt: Date
  state: number
  firstByte: number
  bytes: number
  ms: number
  nodes: readonly FirstByteSample[]
}

/** Throughput of smaller downloads measures the delay. */
const RATE_BYTES_MIN = 64 * 1024
/** Overhead of one answer, in bytes. */
const OVERHEAD = 65_536
const ONE_HOUR = 3600_000

/**
 * Records what the client of a download measured. It could report anything, so a client network counts once per file and day, the time cannot
 * be longer than the server saw, and medians are shown.
 * @param reader.userId the account of the client
 */
export async function recordMeasurement(
  context: Deps,
  tx: Db,
  reader: { ip: string; userId: number | undefined },
  { userId, cid, size, openedAt, state, firstByte, bytes, ms, nodes }: Measurement,
  at: Date,
): Promise<void> {
  if (state !== TRACE.ok) return
  const elapsed = Math.min(ONE_HOUR, at.getTime() - openedAt.getTime() + 1000)
  const country = await countryOfReader(context, reader.ip)
  if (country === undefined) return
  const isPlausible = (value: number) => value > 0 && value <= elapsed
  const slot = hash(context, `slot ${visitorNetworkOf(reader.ip)}`).readUInt32BE(0) % FIRST_BYTE_SLOTS
  await recordFirstBytes(
    tx,
    { country, slot, userId: reader.userId },
    nodes.filter((node) => isPlausible(node.ms)).map((node) => ({ ...node, ms: Math.round(node.ms) })),
    at,
  )
  if (!isPlausible(firstByte)) return
  const near = await repository.findReady(tx, userId, cid, country)
  const accelerated = near?.ready_at != null && near.ready_at <= openedAt
  const received = Math.min(bytes, size * 1.125 + OVERHEAD)
  const isMeasurable = received >= RATE_BYTES_MIN && ms >= 1 && ms <= elapsed
  await repository.addMeasured(
    tx,
    { userId, cid, country, reader: readerOf(context, userId, reader.ip, at), accelerated },
    {
      firstByte: oneIn(FIRST_BYTE.ranges, rangeOf(FIRST_BYTE, firstByte)),
      rate: oneIn(RATE.ranges, isMeasurable ? rangeOf(RATE, (received * 1000) / ms) : 0),
    },
    at,
  )
}

/** Counts with a one at this place, from 1; 0: all are zero. */
const oneIn = (length: number, place: number): number[] =>
  Array.from({ length }, (_, index) => (index + 1 === place ? 1 : 0))
