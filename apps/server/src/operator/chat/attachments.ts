import {
  AppError,
  CHAT_ATTACHMENT_MAX,
  CHAT_ATTACHMENTS_MAX,
  CHAT_ATTACHMENTS_PER_DAY,
  CHAT_ATTACHMENTS_PER_NETWORK_DAY,
  CHAT_DESK_READS_PER_DAY,
  CHAT_READS_PER_DAY,
  type contract,
  type DownloadInfo,
  type Parsed,
} from '@tidenet/contract'
import { visitorNetworkOf } from '@tidenet/daemon'
import { DAY } from '../../platform/ago.ts'
import { countFailure } from '../../platform/attempts/attempts.ts'
import { harmlessText, keepAttachment, readAttachment } from '../../storage/index.ts'
import type { Operator } from '../admin/change.ts'
import type { Context, Db } from '../context.ts'
import type { Customer } from './customers.ts'
import { requireConversation } from './desk-repository.ts'
import * as repository from './repository.ts'

type New = NonNullable<Parsed<(typeof contract)['chat']['send']>['attachment']>

/** JSON in PostgreSQL cannot contain half a character. */
const wellFormed = (text: string): string => text.replaceAll(/\p{Cs}/gu, '\ufffd')

/**
 * Keeps the file of a message.
 * @param account the sender's uid; empty: a visitor
 * @throws AppError badCid, chatAttachmentMissing, chatAttachmentTooLarge
 */
export async function attach(
  tx: Db,
  { cid, name, password, trace_id: traceId }: New,
  account: string,
  at: Date,
): Promise<repository.MessageAttachment> {
  const kept = await keepAttachment(tx, { cid, name: wellFormed(harmlessText(name)) || 'file', account, traceId, at })
  return { ...kept, password }
}

/**
 * Limits the attachments of a customer.
 * @param id of the conversation, which is locked
 * @throws AppError tooManyRequests, chatAttachmentsFull
 */
export async function countAttachment(
  { clock }: Pick<Context, 'clock'>,
  tx: Db,
  customer: Customer,
  { id, ip }: { id: number; ip: string },
): Promise<void> {
  const count = async (subject: string, max: number) => {
    const seconds = await countFailure({ db: tx, clock }, { kind: 'chat attachments', max, within: DAY }, subject)
    if (seconds > 0) throw new AppError('tooManyRequests', { seconds })
  }
  await count(customer.key, CHAT_ATTACHMENTS_PER_DAY)
  if (!customer.member) await count(visitorNetworkOf(ip), CHAT_ATTACHMENTS_PER_NETWORK_DAY)
  if ((await repository.attachedBytes(tx, id)) > CHAT_ATTACHMENTS_MAX - CHAT_ATTACHMENT_MAX)
    throw new AppError('chatAttachmentsFull', { max: CHAT_ATTACHMENTS_MAX })
}

type Asked = { receiptKey: string | undefined }

/** @throws AppError notFound, also for an attachment of another conversation; tooManyRequests, nodesOffline */
export async function openOwn(
  context: Context,
  customer: Customer,
  id: string,
  { receiptKey }: Asked,
): Promise<DownloadInfo> {
  const row = await repository.findConversation(context.db, customer)
  if (!row || !(await repository.hasAttachment(context.db, row.id, id))) throw new AppError('notFound')
  const limit = { kind: 'chat attachment reads', max: CHAT_READS_PER_DAY, within: DAY }
  const seconds = await countFailure(context, limit, customer.key)
  if (seconds > 0) throw new AppError('tooManyRequests', { seconds })
  return readAttachment(context, id, receiptKey)
}

/** @throws AppError chatUnknown, notFound, tooManyRequests, nodesOffline */
export async function openAtDesk(
  context: Context,
  { caller }: Pick<Operator, 'caller'>,
  { id, attachment }: { id: number; attachment: string },
  { receiptKey }: Asked,
): Promise<DownloadInfo> {
  await requireConversation(context.db, id)
  if (!(await repository.hasAttachment(context.db, id, attachment))) throw new AppError('notFound')
  const limit = { kind: 'chat attachment reads', max: CHAT_DESK_READS_PER_DAY, within: DAY }
  const seconds = await countFailure(context, limit, `agent ${caller.userId}`)
  if (seconds > 0) throw new AppError('tooManyRequests', { seconds })
  return readAttachment(context, attachment, receiptKey)
}
