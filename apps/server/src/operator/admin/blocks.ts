import type { ContentBlock, contract, Output, Parsed } from '@tidenet/contract'
import { type BlockRow, blockContent, liftBlock, pageOfBlocks } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import { idAfter, pageOf } from '../../platform/db/cursors.ts'
import { decideByBlock } from '../abuse/decisions.ts'
import { tellOwnersJob } from '../abuse/owners.ts'
import { now } from '../context.ts'
import { change, type Deps, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']

const toWire = ({ changed_by: by, changed_at, ...row }: BlockRow): ContentBlock => ({
  ...row,
  by,
  at: changed_at.toISOString(),
})

/** @throws AppError badCid */
export async function listBlocks(
  { db }: Pick<Deps, 'db'>,
  { cid, current, after, size }: Parsed<Admin['blocks']>,
): Promise<Output<Admin['blocks']>> {
  const rows = await pageOfBlocks(db, {
    cid: cid === undefined ? undefined : readCid(cid).text,
    current,
    after: idAfter(after),
    limit: size + 1,
  })
  const { list, next } = pageOf(rows, size, (last) => [last.id])
  return { list: list.map(toWire), next }
}

/** Decides the open reports of the content, too. @throws AppError badCid */
export async function block(
  context: Deps,
  operator: Operator,
  { cid: text, category, reason }: Parsed<Admin['block']>,
): Promise<ContentBlock> {
  const cid = readCid(text).text
  const detail = { category, reason }
  return change(context, operator, { action: 'content.block', subject: `content:${cid}`, detail }, async (tx) => {
    const made = { cid, category, reason, by: operator.caller.uid, at: now(context) }
    const { row, before } = await blockContent(tx, made)
    const report = await decideByBlock(context, tx, cid, operator.caller.uid)
    await tellOwnersJob.add(tx, { cid })
    return { result: toWire(row), detail: { before: before?.category ?? '', ...(report !== undefined && { report }) } }
  })
}

/** @throws AppError badCid; notFound if the content is not blocked */
export async function unblock(
  context: Deps,
  operator: Operator,
  { cid: text, reason }: Parsed<Admin['unblock']>,
): Promise<ContentBlock> {
  const cid = readCid(text).text
  return change(
    context,
    operator,
    { action: 'content.unblock', subject: `content:${cid}`, detail: { reason } },
    async (tx) => {
      const { row, before } = await liftBlock(tx, { cid, reason, by: operator.caller.uid, at: now(context) })
      await tellOwnersJob.add(tx, { cid })
      return { result: toWire(row), detail: { before: before?.category ?? '' } }
    },
  )
}
