import type { Lang } from '@tidenet/contract'
import { checkCode, PURPOSES, sendCode } from '../../identity/index.ts'
import type { Context } from '../context.ts'
import type { ShortLinkRow } from '../links/short-links.ts'
import { findOpen } from './opening.ts'
import { signEmailProof } from './tokens.ts'

/** Codes are bound to the link: a code for another link proves nothing. */
const boundTo = (link: ShortLinkRow): string => `link ${link.id}`

/**
 * Sends a code to an address of the link. For any other address, everything but the e-mail is the same, also the limits: nobody learns who
 * may open the link.
 * @throws AppError as `findOpen`; codeTooSoon, tooManyCodes
 */
export async function sendLinkCode(
  context: Context,
  { token, email }: { token: string; email: string },
  from: { ip: string; lang: Lang },
): Promise<void> {
  const { link } = await findOpen(context, token, from.ip)
  const deliver = link.emails?.includes(email) === true
  await sendCode(context, { type: PURPOSES.link, address: email, account: boundTo(link), deliver, ...from })
}

/**
 * Proves an address with the code that was sent to it.
 * @throws AppError as `findOpen`; invalidCode, codeExpired, codeLocked
 */
export async function verifyLinkEmail(
  context: Context,
  { token, email, verify_code }: { token: string; email: string; verify_code: string },
  ip: string,
): Promise<{ proof: string }> {
  const { link } = await findOpen(context, token, ip)
  const code = await checkCode(context, 'link', email, verify_code, ip, boundTo(link))
  await context.db.transaction((tx) => code.use(tx))
  return { proof: await signEmailProof(context, link.id, email) }
}
