import {
  AppError,
  type contract,
  EMAIL_ONLY_NOTICES,
  NOTICE_KINDS,
  type NoticeKind,
  type Output,
  type Parsed,
} from '@tidenet/contract'
import type { Member } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'
import { type Choice, choicesOf, findByUid, setChoice } from './repository.ts'
import { readUnsubscribeToken } from './token.ts'

type Notifications = (typeof contract)['notifications']
type Deps = Pick<Context, 'db' | 'keys'>

const ON: Choice = { email: true, portal: true }

const toWire = (kind: NoticeKind, { email, portal }: Choice) => ({
  kind,
  email,
  portal: EMAIL_ONLY_NOTICES.some((each) => each === kind) ? null : portal,
  fixed: kind === 'security',
})

export async function listNotifications(
  { db }: Pick<Deps, 'db'>,
  { userId, email }: Member,
): Promise<Output<Notifications['list']>> {
  const choices = new Map<NoticeKind, Choice>((await choicesOf(db, userId)).map((row) => [row.kind, row]))
  return { email, list: NOTICE_KINDS.map((kind) => toWire(kind, choices.get(kind) ?? ON)) }
}

export const setNotification = async (
  { db }: Pick<Deps, 'db'>,
  { userId }: Member,
  { kind, ...change }: Parsed<Notifications['set']>,
): Promise<Output<Notifications['set']>> => toWire(kind, await setChoice(db, userId, kind, change))

/** Asks for or changes what the token of an e-mail is about. @throws AppError unsubscribeInvalid */
export async function changeSubscription(
  { db, keys }: Deps,
  { token, email }: Parsed<Notifications['subscription']>,
): Promise<Output<Notifications['subscription']>> {
  const claim = readUnsubscribeToken(keys, token)
  const account = claim && (await findByUid(db, claim.uid))
  if (!claim || !account) throw new AppError('unsubscribeInvalid')
  const { kind } = claim
  if (email !== undefined) return { kind, email: (await setChoice(db, account.id, kind, { email })).email }
  const choice = (await choicesOf(db, account.id)).find((row) => row.kind === kind)
  return { kind, email: choice?.email ?? true }
}
