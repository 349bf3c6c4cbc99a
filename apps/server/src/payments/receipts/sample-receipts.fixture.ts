import type { Output, RouteOf } from '@tidenet/contract'
import { identityIn, type ReceiptClaims, receiptClaims, verifyReceipt } from '@tidenet/receipts'
import { sql } from '../../platform/db/sql.ts'
import { appendQueued } from '../../platform/transparency-log/append.ts'
import { unpackBundle } from '../../platform/transparency-log/bundles.ts'
import type { TestEnv } from '../../test-env.fixture.ts'
import { keySet } from './key-set.ts'

export type ReceiptFile = Output<RouteOf<'receipts.get'>>

/** For tests: what a receipt says. */
export const readClaims = ({ receipt }: Pick<ReceiptFile, 'receipt'>): ReceiptClaims =>
  receiptClaims.parse(JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString()))

/** The receipt file of an account, once it is in the log. Everything in it must pass the checks that its receiver makes. */
export async function receiptOf(env: TestEnv, { token }: { token: string }, id: number | null): Promise<ReceiptFile> {
  await appendQueued(env.context)
  const { code, msg, data } = await env.call('receipts.get', { id: id ?? 0 }, { token })
  if (code !== 0) throw new Error(`receipt ${id}: ${msg}`)
  const identity = identityIn(await keySet(env.context))
  const { result, checks } = await verifyReceipt(JSON.stringify(data), identity)
  if (result !== 'valid') throw new Error(`receipt ${id} is ${result}: ${JSON.stringify(checks)}`)
  return data
}

/** How many receipts of this kind were ever issued for an account. */
export async function countReceipts(env: TestEnv, uid: string, kind: ReceiptClaims['kind']): Promise<number> {
  await appendQueued(env.context)
  const bundles = await env.db.rows<{ claims: Buffer }>(sql`select claims from log_bundles`)
  return bundles
    .flatMap(({ claims }) => unpackBundle(claims))
    .filter(({ claims }) => claims.kind === kind && 'sub' in claims && claims.sub === uid).length
}
