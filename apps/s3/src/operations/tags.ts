import { OBJECT_TAGS_MAX, readTagging, type Tag, taggingXml } from '@tidenet/s3-wire'
import { readWhole } from '../body.ts'
import { type Answer, type ObjectExchange, xmlAnswer } from '../exchange.ts'
import { need } from '../refusals.ts'

const BODY_MAX = 64 * 1024

export async function getTags({ address: { bucket, key }, caller }: ObjectExchange): Promise<Answer> {
  const { tags } = need(await caller.transfers.api.call('s3.find', { bucket, key }))
  return xmlAnswer(taggingXml(tags))
}

export async function putTags(exchange: ObjectExchange): Promise<Answer> {
  await setTags(exchange, readTagging(await readWhole(exchange, BODY_MAX), OBJECT_TAGS_MAX))
  return { status: 200, headers: { 'content-length': '0' } }
}

export async function removeTags(exchange: ObjectExchange): Promise<Answer> {
  await setTags(exchange, [])
  return { status: 204 }
}

async function setTags({ address: { bucket, key }, caller }: ObjectExchange, tags: Tag[]): Promise<void> {
  need(await caller.transfers.api.call('s3.setTags', { bucket, key, tags }))
}
