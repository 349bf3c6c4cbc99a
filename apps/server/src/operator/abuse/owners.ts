import { AppError, type BlockedFile, type contract, type Output, type Parsed } from '@tidenet/contract'
import { notify } from '../../identity/index.ts'
import { currentBlock } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Member } from '../../platform/http/callers.ts'
import { handle, job } from '../../platform/jobs/job.ts'
import { harmlessText, ownersOfContent } from '../../storage/index.ts'
import { type Context, type Db, now } from '../context.ts'
import { answeredEmail, blockedEmail, liftedEmail } from './emails.ts'
import * as repository from './owners-repository.ts'

export { countOpenObjections, type OwnerRow, pageOfObjections } from './owners-repository.ts'

type Abuse = (typeof contract)['abuse']

/** Accounts per transaction. */
const BATCH = 200

/** Tells the owners of a content that it was blocked, or that its block was lifted. Add it whenever one of these changes. */
export const tellOwnersJob = job<{ cid: string }>('tellOwnersOfBlock')

export const tellOwnersHandler = handle(tellOwnersJob, (context: Context, { cid }) => tellOwners(context, cid))

const pageOf = (context: Pick<Context, 'portalUrl'>) => `${context.portalUrl()}/blockedFiles`

/** Whatever happened since the job was added, it tells what is true now; each owner once. */
async function tellOwners(context: Context, cid: string): Promise<void> {
  let after = 0
  for (;;) {
    const next = await context.db.transaction(async (tx) => {
      await advisoryLock(tx, `owners of ${cid}`)
      const block = await currentBlock(tx, cid)
      return block ? tellBlocked(context, tx, { ...block, cid }, after) : tellLifted(context, tx, cid)
    })
    if (next === undefined) return
    after = next
  }
}

async function tellBlocked(
  context: Context,
  tx: Db,
  { cid, category }: Pick<repository.OwnerRow, 'cid' | 'category'>,
  after: number,
): Promise<number | undefined> {
  const owners = await ownersOfContent(tx, cid, after, BATCH)
  for (const { user_id, name } of owners) {
    const owner = { user_id, cid, name, category, told_at: now(context) }
    if (await repository.insertOwner(tx, owner))
      await notify(context, tx, user_id, 'blocks', (lang) => blockedEmail(lang, { name, category }, pageOf(context)))
  }
  return owners.length === BATCH ? owners.at(-1)?.user_id : undefined
}

async function tellLifted(context: Context, tx: Db, cid: string): Promise<number | undefined> {
  const owners = await repository.liftOwners(tx, cid, now(context), BATCH)
  for (const { user_id, name } of owners)
    await notify(context, tx, user_id, 'blocks', (lang) =>
      liftedEmail(lang, name, `${context.portalUrl()}/fileStorage`),
    )
  return owners.length === BATCH ? 0 : undefined
}

const toWire = (row: repository.OwnerRow): BlockedFile => ({
  cid: row.cid,
  name: row.name,
  category: row.category,
  blocked_at: row.told_at.toISOString(),
  objection: row.objection,
  objected_at: row.objected_at?.toISOString() ?? null,
  answered_at: row.answered_at?.toISOString() ?? null,
  answer: row.answer,
})

export async function listBlockedFiles(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { page, page_size: size }: Parsed<Abuse['blockedFiles']>,
): Promise<Output<Abuse['blockedFiles']>> {
  const rows = await repository.ownBlocked(db, caller.userId, size, (page - 1) * size)
  return { list: rows.map(toWire), total: await repository.countOwnBlocked(db, caller.userId) }
}

/** Stores an objection, one per block; until it is answered, another one replaces it. @throws AppError badCid, notFound, objectionAnswered */
export const objectToBlock = (
  context: Pick<Context, 'db' | 'clock'>,
  caller: Member,
  { cid, text }: Parsed<Abuse['object']>,
): Promise<BlockedFile> =>
  context.db.transaction(async (tx) => {
    const own = await repository.lockOwnBlocked(tx, caller.userId, readCid(cid).text)
    if (!own) throw new AppError('notFound')
    if (own.answered_at) throw new AppError('objectionAnswered')
    return toWire(await repository.setObjection(tx, own.id, harmlessText(text), now(context)))
  })

/** Stores the operators' answer and tells the owner. @throws AppError notFound if the block was lifted, or nobody objected */
export async function answerOwner(
  context: Pick<Context, 'clock' | 'keys' | 'portalUrl'>,
  tx: Db,
  { id, answer, by }: { id: number; answer: string; by: string },
): Promise<{ row: repository.OwnerRow; before: repository.OwnerRow }> {
  const before = await repository.lockObjection(tx, id)
  if (!before) throw new AppError('notFound')
  const row = await repository.answerObjection(tx, id, { answer, by, at: now(context) })
  const write = { name: row.name, answer }
  await notify(context, tx, row.user_id, 'blocks', (lang) => answeredEmail(lang, write, pageOf(context)))
  return { row, before }
}
