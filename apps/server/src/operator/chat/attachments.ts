import { AppError, CHAT_ATTACHMENTS_PER_DAY, type contract, type DownloadInfo, type Parsed } from '@tidenet/contract'
import { DAY } from '../../platform/ago.ts'
import { countFailure } from '../../platform/attempts/attempts.ts'
import { harmlessText, keepAttachment, readAttachment } from '../../storage/index.ts'
import type { Context, Db } from '../context.ts'
import type { Customer } from './customers.ts'
import { requireConversation } from './desk-repository.ts'
import * as repository from './repository.ts'

type New = NonNullable<Parsed<(typeof contract)['chat']['send']>['attachment']>

/**
 * Keeps the file of a message.
 * @param account the sender's uid; empty: a visitor
 * @throws AppError badCid, chatAttachmentMissing, chatAttachmentTooLarge
 */
export async function attach(
  tx: Db,
  { cid, name, password }: New,
  account: string,
  at: Date,
): Promise<repository.MessageAttachment> {
  const kept = await keepAttachment(tx, { cid, name: harmlessText(name) || 'file', account, at })
  return { ...kept, password }
}

/** Limits the attachments of a customer. @throws AppError tooManyRequests */
export async function countAttachment({ clock }: Pick<Context, 'clock'>, tx: Db, customer: Customer): Promise<void> {
  const limit = { kind: 'chat attachments', max: CHAT_ATTACHMENTS_PER_DAY, within: DAY }
  const seconds = await countFailure({ db: tx, clock }, limit, customer.key)
  if (seconds > 0) throw new AppError('tooManyRequests', { seconds })
}

type Asked = { receiptKey: string | undefined }

/** @throws AppError notFound, also for an attachment of another conversation; nodesOffline */
export async function openOwn(
  context: Context,
  customer: Customer,
  id: string,
  { receiptKey }: Asked,
): Promise<DownloadInfo> {
  const row = await repository.findConversation(context.db, customer)
  if (!row || !(await repository.hasAttachment(context.db, row.id, id))) throw new AppError('notFound')
  return readAttachment(context, id, receiptKey)
}

/** @throws AppError chatUnknown, notFound, nodesOffline */
export async function openAtDesk(
  context: Context,
  { id, attachment }: { id: number; attachment: string },
  { receiptKey }: Asked,
): Promise<DownloadInfo> {
  await requireConversation(context.db, id)
  if (!(await repository.hasAttachment(context.db, id, attachment))) throw new AppError('notFound')
  return readAttachment(context, attachment, receiptKey)
}
