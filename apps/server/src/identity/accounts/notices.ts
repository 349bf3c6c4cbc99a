import type { Lang } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { composeEmail, type EmailText, MUTED, toMinute } from '../../platform/mail/templates.ts'
import { type Context, now } from '../context.ts'
import { notify } from '../notifications/notify.ts'

/** A change to the sign-in methods of an account. */
export type Notice =
  | 'walletAdded'
  | 'walletRemoved'
  | 'identityAdded'
  | 'identityRemoved'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'totpOn'
  | 'totpOff'
  | 'passwordSet'
  | 'passkeyRequired'
  | 'passkeyNotRequired'

const texts = {
  en: {
    subject: {
      walletAdded: 'A wallet was linked to your Tidenet account',
      walletRemoved: 'A wallet was unlinked from your Tidenet account',
      identityAdded: 'A sign-in service was linked to your Tidenet account',
      identityRemoved: 'A sign-in service was removed from your Tidenet account',
      passkeyAdded: 'A passkey was added to your Tidenet account',
      passkeyRemoved: 'A passkey was removed from your Tidenet account',
      totpOn: 'The authenticator app of your Tidenet account was turned on',
      totpOff: 'The authenticator app of your Tidenet account was turned off',
      passwordSet: 'The password of your Tidenet account was changed',
      passkeyRequired: 'Your Tidenet account now requires a passkey at every sign-in',
      passkeyNotRequired: 'Your Tidenet account no longer requires a passkey at every sign-in',
    },
    which: (name: string) => `Name: ${name}`,
    when: (time: string) => `Time: ${time} UTC`,
    where: (ip: string) => `IP address: ${ip}`,
    warning:
      'If this was you, you do not need to do anything. If not, sign in to Tidenet, end all other sessions, set a new password and undo the change.',
  },
  cn: {
    subject: {
      walletAdded: '您的 Tidenet 账号已绑定钱包',
      walletRemoved: '您的 Tidenet 账号已解绑钱包',
      identityAdded: '您的 Tidenet 账号已关联第三方登录',
      identityRemoved: '您的 Tidenet 账号已取消关联第三方登录',
      passkeyAdded: '您的 Tidenet 账号已添加通行密钥',
      passkeyRemoved: '您的 Tidenet 账号已移除通行密钥',
      totpOn: '您的 Tidenet 账号已开启身份验证器',
      totpOff: '您的 Tidenet 账号已关闭身份验证器',
      passwordSet: '您的 Tidenet 账号密码已更改',
      passkeyRequired: '您的 Tidenet 账号登录时将始终需要通行密钥',
      passkeyNotRequired: '您的 Tidenet 账号登录时不再要求通行密钥',
    },
    which: (name: string) => `名称：${name}`,
    when: (time: string) => `时间：${time} UTC`,
    where: (ip: string) => `IP 地址：${ip}`,
    warning: '如为本人操作，无需处理。如非本人操作，请登录 Tidenet，结束其他所有会话、重置密码并撤销此更改。',
  },
} as const satisfies Record<Lang, { subject: Record<Notice, string> } & Record<string, unknown>>

export interface NoticeFacts {
  /** A wallet address or the name of a service; never a text from the caller. */
  name?: string
  at: Date
  ip: string
}

export function noticeEmail(lang: Lang, notice: Notice, { name = '', at, ip }: NoticeFacts): EmailText {
  const { subject, which, when, where, warning } = texts[lang]
  const facts = [...(name ? [which(name)] : []), when(toMinute(at.toISOString())), where(ip)]
  return composeEmail(lang, { subject: subject[notice] }, [{ lines: facts }, { lines: [warning], style: MUTED }])
}

/** Queues an e-mail about the change, if the account has an address. */
export async function notifyOwner(
  context: Pick<Context, 'clock' | 'keys' | 'portalUrl'>,
  tx: Db,
  { userId }: Pick<Member, 'userId'>,
  { ip, lang }: { ip: string; lang: Lang },
  notice: Notice,
  name = '',
): Promise<void> {
  const at = now(context)
  await notify(context, tx, userId, 'security', (to) => noticeEmail(to, notice, { name, at, ip }), { lang })
}
