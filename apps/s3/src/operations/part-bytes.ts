import type { ObjectPart } from '@tidenet/contract'
import { S3Error } from '@tidenet/s3-wire'
import type { ObjectExchange } from '../exchange.ts'
import { EMPTY_CID } from '../small-writes.ts'
import { needUpload, uploadOf } from './unfinished.ts'

/**
 * The bytes of the parts of an upload, one after the other; each is verified again on the way.
 * @throws S3Error InvalidPart if a part was replaced since it was chosen: the object would have another ETag than its bytes
 */
export async function* bytesOf(
  exchange: ObjectExchange,
  parts: readonly ObjectPart[],
): AsyncGenerator<Uint8Array, void> {
  const { transfers } = exchange.caller
  for (const { number, cid, size } of parts) {
    const ask = (receipt_key: string) =>
      transfers.api.call('s3Uploads.openPart', { ...uploadOf(exchange), number, receipt_key })
    const { content, sources } = needUpload(await transfers.open(ask, exchange.signal))
    if ((sources?.asset_cid ?? EMPTY_CID) !== cid) {
      void content.end(false)
      throw new S3Error('InvalidPart', undefined, { PartNumber: String(number) })
    }
    yield* content.read(0, size)
    void content.end(true)
  }
}
