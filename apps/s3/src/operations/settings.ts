import {
  corsXml,
  lifecycleXml,
  readCors,
  readLifecycle,
  readVersioning,
  S3Error,
  versioningXml,
} from '@tidenet/s3-wire'
import { readWhole } from '../body.ts'
import { type Answer, type BucketExchange, xmlAnswer } from '../exchange.ts'
import { need } from '../refusals.ts'

const BODY_MAX = 64 * 1024
/** 1,000 rules. */
const LIFECYCLE_MAX = 512 * 1024

const settingsOf = async ({ address: { bucket }, caller }: BucketExchange) =>
  need(await caller.transfers.api.call('s3.settings', { bucket }))

export async function getVersioning(exchange: BucketExchange): Promise<Answer> {
  const { versioning } = await settingsOf(exchange)
  return xmlAnswer(versioningXml(versioning || undefined))
}

export async function putVersioning(exchange: BucketExchange): Promise<Answer> {
  const versioning = readVersioning(await readWhole(exchange, BODY_MAX))
  const { bucket } = exchange.address
  need(await exchange.caller.transfers.api.call('s3.changeSettings', { bucket, versioning }))
  return { status: 200, headers: { 'content-length': '0' } }
}

export async function getLifecycle(exchange: BucketExchange): Promise<Answer> {
  const { lifecycle } = await settingsOf(exchange)
  if (lifecycle.length === 0) throw new S3Error('NoSuchLifecycleConfiguration')
  return xmlAnswer(lifecycleXml(lifecycle))
}

export async function putLifecycle(exchange: BucketExchange): Promise<Answer> {
  const lifecycle = readLifecycle(await readWhole(exchange, LIFECYCLE_MAX))
  const { bucket } = exchange.address
  need(await exchange.caller.transfers.api.call('s3.changeSettings', { bucket, lifecycle }))
  return { status: 200, headers: { 'content-length': '0' } }
}

export async function removeLifecycle({ address: { bucket }, caller }: BucketExchange): Promise<Answer> {
  need(await caller.transfers.api.call('s3.changeSettings', { bucket, lifecycle: [] }))
  return { status: 204 }
}

export async function getCors(exchange: BucketExchange): Promise<Answer> {
  const { cors } = await settingsOf(exchange)
  if (cors.length === 0) throw new S3Error('NoSuchCORSConfiguration')
  return xmlAnswer(corsXml(cors))
}

export async function putCors(exchange: BucketExchange): Promise<Answer> {
  const cors = readCors(await readWhole(exchange, BODY_MAX))
  const { bucket } = exchange.address
  need(await exchange.caller.transfers.api.call('s3.changeSettings', { bucket, cors }))
  exchange.cors.forget(bucket)
  return { status: 200, headers: { 'content-length': '0' } }
}

export async function removeCors(exchange: BucketExchange): Promise<Answer> {
  const { bucket } = exchange.address
  need(await exchange.caller.transfers.api.call('s3.changeSettings', { bucket, cors: [] }))
  exchange.cors.forget(bucket)
  return { status: 204 }
}
