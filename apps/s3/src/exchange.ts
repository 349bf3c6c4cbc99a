import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Address,
  type ChecksumAlgorithm,
  type Headers,
  headerOf,
  type Owner,
  parameterOf,
  type SignedRequest,
  type StoredChecksum,
  type Target,
} from '@tidenet/s3-wire'
import type { Caller } from './access.ts'
import type { Cors } from './cors.ts'
import type { HeldBodies } from './held-bodies.ts'
import type { Openings, Reader } from './openings.ts'
import { need } from './refusals.ts'
import type { SmallWrites } from './small-writes.ts'

/** A request of which everything but the body was read, and whose signature is right. */
export interface Exchange {
  method: string
  target: Target
  headers: Headers
  address: Address
  signed: SignedRequest
  caller: Caller
  request: IncomingMessage
  response: ServerResponse
  /** The same pieces, for as long as the access key may read. */
  whilePermitted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void>
  /** Aborted when the client goes away. */
  signal: AbortSignal
  smallWrites: SmallWrites
  openings: Openings
  heldBodies: HeldBodies
  cors: Cors
  /** Asks for the body, if the client waits for that. */
  askForBody(): void
  /** Ms in which the client must send something. */
  idleTimeout: number
}

export type BucketExchange = Exchange & { address: { bucket: string } }
export type ObjectExchange = Exchange & { address: { bucket: string; key: string } }

/** Who asks for a part of an object. */
export const readerOf = ({ caller, signed, signal }: Exchange): Reader => ({
  caller,
  accessKeyId: signed.accessKeyId,
  signal,
})

/** Without a body: the status alone. */
export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string | AsyncIterable<Uint8Array>
}

export const xmlAnswer = (body: string, headers: Record<string, string> = {}): Answer => ({
  status: 200,
  headers: { ...headers, 'content-type': 'application/xml' },
  body,
})

export const header = ({ headers }: Pick<Exchange, 'headers'>, name: string): string | undefined =>
  headerOf(headers, name)
export const parameter = ({ target }: Pick<Exchange, 'target'>, name: string): string | undefined =>
  parameterOf(target, name)

/** The account of the caller, as S3 names owners. */
export async function ownerOf({ caller }: Pick<Exchange, 'caller'>): Promise<Owner> {
  const { owner } = need(await caller.transfers.api.call('s3.buckets', {}))
  return { id: owner, displayName: owner }
}

/** The checksum that is kept with a part. */
export function storedChecksum({ checksums }: { checksums: Record<string, string> }): { checksum?: StoredChecksum } {
  const [found] = Object.entries(checksums)
  return found ? { checksum: { algorithm: found[0] as ChecksumAlgorithm, value: found[1] } } : {}
}

/** The checksum that is kept with an object, and how it came about. */
export function objectChecksum(object: { checksums: Record<string, string> }): { checksum?: StoredChecksum } {
  const { checksum } = storedChecksum(object)
  return checksum ? { checksum: { ...checksum, type: checksumType(checksum.value) } } : {}
}

const checksumType = (value: string) => (value.includes('-') ? 'COMPOSITE' : 'FULL_OBJECT')

/** `x-amz-checksum-*` of a part. */
export const partChecksumHeaders = ({ checksums }: { checksums: Record<string, string> }): Record<string, string> =>
  Object.fromEntries(
    Object.entries(checksums).map(([algorithm, value]) => [`x-amz-checksum-${algorithm.toLowerCase()}`, value]),
  )

/** `x-amz-checksum-*` of an object. */
export function checksumHeaders(object: { checksums: Record<string, string> }): Record<string, string> {
  const [value] = Object.values(object.checksums)
  return value === undefined ? {} : { ...partChecksumHeaders(object), 'x-amz-checksum-type': checksumType(value) }
}

/** The address of an object, as the client of this request reaches it. */
export function locationOf({ request, target, headers }: Pick<Exchange, 'request' | 'target' | 'headers'>): string {
  const scheme = 'encrypted' in request.socket ? 'https' : 'http'
  return `${scheme}://${headerOf(headers, 'host') ?? ''}${target.path}`
}
