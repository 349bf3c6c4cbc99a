import { type Lang, type NoticeKind, OPTIONAL_NOTICES, type OptionalNotice } from '@tidenet/contract'
import { queueEmail } from '../../platform/mail/queue.ts'
import type { EmailText } from '../../platform/mail/templates.ts'
import type { Context, Db } from '../context.ts'
import { choicesOf, findRecipients, type Recipient } from './repository.ts'
import { unsubscribeToken } from './token.ts'

export { setLanguage } from './repository.ts'

type Deps = Pick<Context, 'clock' | 'keys' | 'portalUrl'>

/** The language of accounts of which none is known. */
const DEFAULT_LANG: Lang = 'en'

const isOptional = (kind: NoticeKind): kind is OptionalNotice => OPTIONAL_NOTICES.some((each) => each === kind)

/** The address in an e-mail that ends e-mails of its kind. */
const unsubscribeUrl = ({ keys, portalUrl }: Pick<Context, 'keys' | 'portalUrl'>, uid: string, kind: NoticeKind) =>
  isOptional(kind) ? `${portalUrl()}/unsubscribe?token=${unsubscribeToken(keys, uid, kind)}` : ''

/**
 * Queues an e-mail to an account, or to the owners of a team: to those with an address who did not turn off this kind. All notices go
 * through here.
 * @param write in the language of the recipient; `lang` is used if it is known better where the notice comes from
 * @returns whether somebody gets it
 */
export async function notify(
  context: Deps,
  tx: Db,
  userId: number,
  kind: NoticeKind,
  write: (lang: Lang) => EmailText,
  { lang, lowPriority = isOptional(kind) }: { lang?: Lang; lowPriority?: boolean } = {},
): Promise<boolean> {
  const recipients = await findRecipients(tx, userId, kind)
  for (const recipient of recipients) await send(context, tx, recipient, kind, write, { lang, lowPriority })
  return recipients.length > 0
}

const send = (
  context: Deps,
  tx: Db,
  { id: _, uid, email, lang: known }: Recipient,
  kind: NoticeKind,
  write: (lang: Lang) => EmailText,
  { lang, lowPriority }: { lang: Lang | undefined; lowPriority: boolean },
): Promise<void> =>
  queueEmail(context, tx, email, write(lang ?? known ?? DEFAULT_LANG), {
    lowPriority,
    unsubscribe: unsubscribeUrl(context, uid, kind),
    lang: lang ?? known ?? DEFAULT_LANG,
  })

/** The kinds of notices that an account does not want to see in the portal. */
export const hiddenNotices = async (db: Db, userId: number): Promise<Set<NoticeKind>> =>
  new Set((await choicesOf(db, userId)).filter(({ portal }) => !portal).map(({ kind }) => kind))
