import { randomUUID } from 'node:crypto'
import {
  AppError,
  CHAT_MAIL_AFTER,
  type contract,
  type DeskConversation,
  type DeskMessage,
  type DeskNote,
  type Output,
  type Parsed,
} from '@tidenet/contract'
import { accountsOf, findAgents, pageOfAccounts } from '../../identity/index.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import { escapeLike, pageOf, timeAfter } from '../../platform/db/cursors.ts'
import { harmlessText } from '../../storage/index.ts'
import { change, type Deps, type Operator } from '../admin/change.ts'
import { type Db, now } from '../context.ts'
import { agentsOnline } from './agents-repository.ts'
import { attach } from './attachments.ts'
import { recordReading, subjectOf } from './audit.ts'
import * as desk from './desk-repository.ts'
import { requireConversation } from './desk-repository.ts'
import { customerKeyOf, toDeskConversations, toWireNote } from './desk-wire.ts'
import * as repository from './repository.ts'
import { previewOf } from './service.ts'
import { toDeskMessage } from './wire.ts'

type Operations = (typeof contract)['chatDesk']

/** Accounts that the words of a search may name. */
const NAMED_MAX = 100

export async function listConversations(
  { db }: Pick<Deps, 'db'>,
  { caller }: Pick<Operator, 'caller'>,
  { list: which, q, after, size }: Parsed<Operations['list']>,
): Promise<Output<Operations['list']>> {
  const search = q
    ? {
        words: `%${escapeLike(q)}%`,
        userIds: (await pageOfAccounts(db, { q }, undefined, NAMED_MAX)).map(({ id }) => id),
      }
    : undefined
  const rows = await desk.pageOfConversations(
    db,
    { list: which, agent: caller.uid, search },
    timeAfter(after),
    size + 1,
  )
  const key = (row: repository.ConversationRow) =>
    which === 'waiting' ? (row.waiting_since ?? row.last_at) : row.last_at
  const { list, next } = pageOf(rows, size, (last) => [key(last).getTime(), last.id])
  return { list: await toDeskConversations(db, list), next }
}

/** Customers who wait for an answer, up to a number that no agent works through. */
export const countWaiting = async (db: Db): Promise<number> => (await desk.countConversations(db)).waiting

/** @throws AppError chatUnknown */
export async function showConversation(
  context: Deps,
  operator: Operator,
  { id, ...page }: Parsed<Operations['conversation']>,
): Promise<Output<Operations['conversation']>> {
  const { db } = context
  const row = await requireConversation(db, id)
  await recordReading(context, operator, { id, customer: await uidOf(db, row) })
  const [conversation, { rows, more }, notes] = await Promise.all([
    wireOf(db, row),
    repository.pageOfMessages(db, id, page),
    desk.notesOf(db, id),
  ])
  return { conversation, messages: rows.map(toDeskMessage), more, notes: notes.map(toWireNote) }
}

const uidOf = async (db: Db, { user_id }: repository.ConversationRow): Promise<string> =>
  user_id === null ? '' : ((await accountsOf(db, [user_id])).get(user_id)?.uid ?? '')

const wireOf = async (db: Db, row: repository.ConversationRow): Promise<DeskConversation> =>
  (await toDeskConversations(db, [row]))[0] as DeskConversation

/** @throws AppError chatUnknown */
async function lock(tx: Db, id: number): Promise<repository.ConversationRow> {
  const row = await repository.lockConversationById(tx, id)
  if (!row) throw new AppError('chatUnknown')
  return row
}

/** Takes the conversation if it is nobody's, and opens it if it was closed. @throws AppError chatUnknown, textMissing */
export async function answer(
  context: Deps,
  { caller, ip }: Operator,
  input: Parsed<Operations['send']>,
): Promise<{ message: DeskMessage }> {
  const text = harmlessText(input.text)
  if (text === '' && !input.attachment) throw new AppError('textMissing')
  const at = now(context)
  return context.db.transaction(async (tx) => {
    const row = await lock(tx, input.id)
    const before = await repository.findMessage(tx, row.id, input.message_id)
    if (before?.agent === caller.uid) return { message: toDeskMessage(before) }
    if (before) throw new AppError('invalidParams', { field: 'message_id' })
    const attachment = input.attachment && (await attach(tx, input.attachment, caller.uid, at))
    const message = await append(tx, row, {
      id: input.message_id,
      agent: caller.uid,
      kind: 'text',
      text,
      attachment,
      at,
    })
    await repository.updateConversation(tx, {
      ...row,
      state: 'open',
      closed_seq: null,
      assigned: row.assigned || caller.uid,
      last_seq: message.seq,
      answers: message.answers,
      waiting_since: null,
      last_from: 'agent',
      last_text: previewOf(text || (attachment?.name ?? '')),
      last_at: at,
      mail_due_at: row.email === '' ? null : (row.mail_due_at ?? new Date(at.getTime() + CHAT_MAIL_AFTER)),
    })
    await audit(
      tx,
      context,
      caller,
      { ip },
      {
        action: 'chat.answer',
        subject: subjectOf(row.id),
        detail: { seq: message.seq },
      },
    )
    return { message: toDeskMessage(message) }
  })
}

/** Inserts a message of an agent and announces it. The caller updates the conversation. */
async function append(
  tx: Db,
  row: repository.ConversationRow,
  message: {
    id: string
    agent: string
    kind: 'text' | 'closed' | 'reopened'
    text: string
    attachment?: repository.MessageAttachment | undefined
    at: Date
  },
): Promise<repository.MessageRow> {
  const { id, agent, kind, text, attachment, at } = message
  const inserted = await repository.insertMessage(tx, row, {
    id,
    from_type: 'agent',
    agent,
    kind,
    text,
    attachment,
    created_at: at,
  })
  await repository.announce(tx, customerKeyOf(row), { id: row.id, first: inserted.seq })
  return inserted
}

/** @throws AppError chatUnknown, textMissing */
export async function addNote(
  context: Deps,
  { caller, ip }: Operator,
  input: Parsed<Operations['note']>,
): Promise<{ note: DeskNote }> {
  const text = harmlessText(input.text)
  if (text === '') throw new AppError('textMissing')
  return context.db.transaction(async (tx) => {
    const row = await lock(tx, input.id)
    const note = { id: input.note_id, conversation_id: row.id, agent: caller.uid, text, created_at: now(context) }
    const inserted = await desk.insertNote(tx, note)
    if (!inserted) {
      const [before] = await desk.findNotes(tx, [row.id], [note.id])
      if (before?.agent !== caller.uid) throw new AppError('invalidParams', { field: 'note_id' })
      return { note: toWireNote(before) }
    }
    await repository.announce(tx, customerKeyOf(row), { id: row.id, note: inserted.id })
    await audit(
      tx,
      context,
      caller,
      { ip },
      {
        action: 'chat.note',
        subject: subjectOf(row.id),
        detail: { note: inserted.id },
      },
    )
    return { note: toWireNote(inserted) }
  })
}

/** @throws AppError chatUnknown, chatTaken */
export const take = (context: Deps, operator: Operator, id: number): Promise<DeskConversation> =>
  assignTo(context, operator, id, operator.caller.uid, ({ assigned }) => {
    if (assigned !== '' && assigned !== operator.caller.uid) throw new AppError('chatTaken')
  })

/** @throws AppError chatUnknown, chatAgent */
export async function assign(
  context: Deps,
  operator: Operator,
  { id, uid }: Parsed<Operations['assign']>,
): Promise<DeskConversation> {
  if (uid !== '' && !(await findAgents(context.db)).some((agent) => agent.uid === uid && !agent.locked))
    throw new AppError('chatAgent')
  return assignTo(context, operator, id, uid, () => {})
}

const assignTo = (
  context: Deps,
  operator: Operator,
  id: number,
  uid: string,
  check: (row: repository.ConversationRow) => void,
): Promise<DeskConversation> =>
  change(context, operator, { action: 'chat.assign', subject: subjectOf(id), detail: { to: uid } }, async (tx) => {
    const row = await lock(tx, id)
    check(row)
    const after = { ...row, assigned: uid }
    await repository.updateConversation(tx, after)
    await repository.announce(tx, customerKeyOf(row), { id })
    return { result: await wireOf(tx, after), detail: { before: row.assigned } }
  })

/** Closes or opens it; does nothing if it is so already. @throws AppError chatUnknown */
export const setState = (
  context: Deps,
  operator: Operator,
  id: number,
  state: 'open' | 'closed',
): Promise<DeskConversation> => {
  const [action, kind] =
    state === 'closed' ? (['chat.close', 'closed'] as const) : (['chat.reopen', 'reopened'] as const)
  return change(context, operator, { action, subject: subjectOf(id) }, async (tx) => {
    const row = await lock(tx, id)
    if (row.state === state) return { result: await wireOf(tx, row), detail: { unchanged: true } }
    const at = now(context)
    const message = await append(tx, row, { id: randomUUID(), agent: operator.caller.uid, kind, text: '', at })
    const after = {
      ...row,
      state,
      last_seq: message.seq,
      last_at: at,
      closed_seq: state === 'closed' ? message.seq : null,
      waiting_since: null,
    }
    await repository.updateConversation(tx, after)
    return { result: await wireOf(tx, after) }
  })
}

export async function listAgents(context: Deps): Promise<Output<Operations['agents']>> {
  const { db } = context
  const [agents, online, assigned] = await Promise.all([
    findAgents(db),
    agentsOnline(db, now(context)),
    desk.countAssigned(db),
  ])
  const counts = new Map(assigned.map((row) => [row.assigned, row.count]))
  return {
    list: agents
      .filter(({ locked }) => !locked)
      .map(({ uid, email }) => ({
        uid,
        email: email ?? '',
        online: online.includes(uid),
        assigned: counts.get(uid) ?? 0,
      })),
  }
}
