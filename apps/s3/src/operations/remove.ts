import { deleteXml, readDelete, S3Error } from '@tidenet/s3-wire'
import { readWhole } from '../body.ts'
import { type Answer, type BucketExchange, type ObjectExchange, xmlAnswer } from '../exchange.ts'
import { need } from '../refusals.ts'

const BODY_MAX = 4 * 1024 * 1024

/** Moves an object to the trash. There may be none. */
export async function removeObject({ address: { bucket, key }, caller }: ObjectExchange): Promise<Answer> {
  need(await caller.transfers.api.call('s3.remove', { bucket, keys: [key] }))
  return { status: 204 }
}

/** Removes up to 1,000 objects. Keys that have none are reported as removed, as in S3. */
export async function removeObjects(exchange: BucketExchange): Promise<Answer> {
  const { objects, isQuiet } = readDelete(await readWhole(exchange, BODY_MAX))
  const { bucket } = exchange.address
  const isPlain = ({ versionId = 'null', etag }: (typeof objects)[number]) => versionId === 'null' && etag === undefined
  const keys = objects.filter(isPlain).map(({ key }) => key)
  if (keys.length > 0) need(await exchange.caller.transfers.api.call('s3.remove', { bucket, keys }))
  const { code, message } = new S3Error('NotImplemented')
  const errors = objects.filter((object) => !isPlain(object)).map((object) => ({ ...object, code, message }))
  return xmlAnswer(deleteXml({ isQuiet, deleted: keys.map((key) => ({ key })), errors }))
}
