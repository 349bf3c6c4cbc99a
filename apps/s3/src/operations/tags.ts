import { OBJECT_TAGS_MAX, readTagging, S3Error, type Tag, taggingXml } from '@tidenet/s3-wire'
import { readWhole } from '../body.ts'
import { type Answer, type ObjectExchange, xmlAnswer } from '../exchange.ts'
import { needVersion } from '../refusals.ts'
import { namedVersion, versionHeader } from '../versions.ts'

const BODY_MAX = 64 * 1024

export async function getTags(exchange: ObjectExchange): Promise<Answer> {
  const { bucket, key } = exchange.address
  const named = namedVersion(exchange)
  const found = await exchange.caller.transfers.api.call('s3.find', { bucket, key, ...named })
  const object = needVersion(found, named.version_id)
  if (object.marker) throw new S3Error('MethodNotAllowed')
  return xmlAnswer(taggingXml(object.tags), versionHeader(object))
}

export async function putTags(exchange: ObjectExchange): Promise<Answer> {
  await setTags(exchange, readTagging(await readWhole(exchange, BODY_MAX), OBJECT_TAGS_MAX))
  return { status: 200, headers: { 'content-length': '0' } }
}

export async function removeTags(exchange: ObjectExchange): Promise<Answer> {
  await setTags(exchange, [])
  return { status: 204 }
}

async function setTags(exchange: ObjectExchange, tags: Tag[]): Promise<void> {
  const { bucket, key } = exchange.address
  const named = namedVersion(exchange)
  needVersion(await exchange.caller.transfers.api.call('s3.setTags', { bucket, key, ...named, tags }), named.version_id)
}
