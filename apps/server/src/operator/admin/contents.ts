import type { contract, Output, Parsed } from '@tidenet/contract'
import { placement } from '../../network/index.ts'
import { nameAfter, pageOf } from '../../platform/db/cursors.ts'
import type { Deps } from './change.ts'

type Contents = (typeof contract)['admin']['contents']

/** Contents with missing replicas, or without any. */
export async function listContents(
  { db }: Pick<Deps, 'db'>,
  { state, after, size }: Parsed<Contents>,
): Promise<Output<Contents>> {
  const rows = await placement.pageOfShort(db, {
    isNowhere: state === 'nowhere',
    after: nameAfter(after)?.id,
    limit: size + 1,
  })
  const { list, next } = pageOf(rows, size, ({ cid }) => ['', cid])
  return { list: list.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() })), next }
}
