import type { Lang } from '@tidenet/contract'
import { composeEmail, type EmailText, toMinute, WRAPPED } from '../../platform/mail/templates.ts'

/** Notices about a change of the e-mail address. They name no new address: the old mailbox may be someone else's today. */

const texts = {
  en: {
    changed: 'The e-mail address of your Tidenet account was changed',
    undo: (until: string) =>
      `If this was not you, undo the change at the address below before ${until} UTC. You then sign in with a code by e-mail, and set a new password.`,
    added: 'This is now the e-mail address of your Tidenet account',
    addedText: 'You can sign in with it: with a code by e-mail, or with your password.',
    undone: 'The e-mail address of your Tidenet account was restored',
    undoneText:
      'All sessions were ended. The password, and the passkeys, wallets, services, one-time codes and API keys that were added since the change, were removed. Sign in with a code by e-mail.',
    when: (time: string) => `Time: ${time} UTC`,
    where: (ip: string) => `IP address: ${ip}`,
  },
  cn: {
    changed: '您的 Tidenet 账号邮箱已更改',
    undo: (until: string) =>
      `如非本人操作，请在 ${until} UTC 之前打开下方链接撤销更改。撤销后，请用邮箱验证码登录并重新设置密码。`,
    added: '此邮箱已成为您的 Tidenet 账号邮箱',
    addedText: '您可以用此邮箱登录：使用邮箱验证码或密码。',
    undone: '您的 Tidenet 账号邮箱已恢复',
    undoneText:
      '所有会话均已结束；密码，以及更改之后添加的通行密钥、钱包、第三方登录、动态验证码和 API 密钥均已移除。请用邮箱验证码登录。',
    when: (time: string) => `时间：${time} UTC`,
    where: (ip: string) => `IP 地址：${ip}`,
  },
} as const satisfies Record<Lang, unknown>

interface Facts {
  at: Date
  ip: string
}

function email(lang: Lang, subject: string, text: string, { at, ip }: Facts, link?: string): EmailText {
  const { when, where } = texts[lang]
  const facts = [when(toMinute(at.toISOString())), where(ip)]
  return composeEmail(lang, { subject }, [
    { lines: facts },
    { lines: [text] },
    { lines: link ? [link] : [], style: WRAPPED },
  ])
}

/** To the old address. @param link undoes the change */
export const changedEmail = (lang: Lang, facts: Facts, until: Date, link: string): EmailText =>
  email(lang, texts[lang].changed, texts[lang].undo(toMinute(until.toISOString())), facts, link)

/** To the new address. */
export const addedEmail = (lang: Lang, facts: Facts): EmailText =>
  email(lang, texts[lang].added, texts[lang].addedText, facts)

/** To the restored address. */
export const undoneEmail = (lang: Lang, facts: Facts): EmailText =>
  email(lang, texts[lang].undone, texts[lang].undoneText, facts)

/** Messages of successful calls. */
export const messages = {
  en: {
    codeSent: 'The verification code has been sent.',
    changed: 'Your e-mail address was changed.',
    undone: 'Your e-mail address was restored. Sign in with a code by e-mail.',
  },
  cn: {
    codeSent: '验证码已发送。',
    changed: '邮箱已更改。',
    undone: '邮箱已恢复，请用邮箱验证码登录。',
  },
} as const satisfies Record<Lang, unknown>
