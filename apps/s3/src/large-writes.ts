import { S3Error } from '@tidenet/s3-wire'
import type { Transfers } from '@tidenet/storage/gateway'
import { knownError } from './refusals.ts'
import { EMPTY_CID, listObjects, type PutInput, type Write, type Written } from './small-writes.ts'

/** Bytes on their way from a client. */
export interface Bytes {
  size: number
  pieces: AsyncIterable<Uint8Array>
}

interface Sender {
  transfers: Transfers
  signal: AbortSignal
}

/**
 * Stores bytes as a content that no object has yet.
 * @param name of the transfer
 * @param gather contents with the same word go to one node, if it can take them
 */
export async function storeBytes(
  { transfers, signal }: Sender,
  name: string,
  { size, pieces }: Bytes,
  gather?: string,
): Promise<{ cid: string; receipt: string; traceId: string }> {
  if (size === 0) {
    for await (const _ of pieces);
    return { cid: EMPTY_CID, receipt: '', traceId: '' }
  }
  return transfers.storeStream(name, { size, pieces, gather }, signal).catch((error: unknown) => {
    throw knownError(error) ?? error
  })
}

/** Lists a stored content as an object. @throws S3Error */
export async function listObject(
  transfers: Transfers,
  bucket: string,
  traceId: string,
  file: Omit<PutInput, 'item'>,
): Promise<Written> {
  const [written] = await listObjects(transfers, bucket, traceId, [{ ...file, item: 0 }])
  if (!written || written instanceof S3Error) throw written ?? new S3Error('InternalError')
  return written
}

/** Stores an object while its bytes arrive. @param write what it is, known when all bytes have come */
export async function storeObject(
  sender: Sender,
  { bucket, key }: { bucket: string; key: string },
  bytes: Bytes,
  write: () => Write,
): Promise<Written> {
  const { cid, receipt, traceId } = await storeBytes(sender, transferName(bucket, key), bytes)
  return listObject(sender.transfers, bucket, traceId, { ...write(), cid, receipt })
}

/** What the list of transfers calls it. */
export const transferName = (bucket: string, key: string): string =>
  key.split('/').filter(Boolean).at(-1)?.slice(0, 200) ?? bucket
