import type { Lang } from '@tidenet/contract'
import { composeEmail, type EmailText, toMinute, WRAPPED } from '../../platform/mail/templates.ts'

/** Mails about the deletion of an account. They cannot be turned off. */

const texts = {
  en: {
    closing: 'Your Tidenet account will be deleted',
    closingText: (when: string) =>
      `From ${when} UTC, your files, links, keys and messages are deleted for good. Until then, shares and API keys do not work. To keep the account, sign in and choose “Keep the account”:`,
    from: (ip: string) =>
      `Requested from IP address ${ip}. If this was not you, sign in, keep the account and end all other sessions.`,
    kept: 'Your Tidenet account is kept',
    keptText: 'It is no longer scheduled for deletion. Shares and API keys work again.',
    erased: 'Your Tidenet account was deleted',
    erasedText:
      'Your files, links, keys, messages and settings were deleted for good. Records of payments and the audit log stay, without your e-mail address. You can open a new account with this address.',
  },
  cn: {
    closing: '您的 Tidenet 账号即将删除',
    closingText: (when: string) =>
      `自 ${when} UTC 起，您的文件、链接、密钥和消息将被永久删除。在此之前，分享和 API 密钥停用。如需保留账号，请登录并选择“保留账号”：`,
    from: (ip: string) => `申请来自 IP 地址 ${ip}。如非本人操作，请登录并保留账号，然后结束其他所有会话。`,
    kept: '您的 Tidenet 账号已保留',
    keptText: '账号不再等待删除，分享和 API 密钥已恢复可用。',
    erased: '您的 Tidenet 账号已删除',
    erasedText:
      '您的文件、链接、密钥、消息和设置已永久删除。付款记录和审计日志会保留，但不含您的邮箱。您可以用此邮箱注册新账号。',
  },
} as const satisfies Record<Lang, unknown>

function email(lang: Lang, subject: string, paragraphs: readonly string[]): EmailText {
  return composeEmail(
    lang,
    { subject },
    paragraphs.map((text) => ({ lines: [text], style: WRAPPED })),
  )
}

/** @param link where the account is kept */
export function closingEmail(lang: Lang, when: Date, ip: string, link: string): EmailText {
  const { closing, closingText, from } = texts[lang]
  return email(lang, closing, [closingText(toMinute(when.toISOString())), link, from(ip)])
}

export const keptEmail = (lang: Lang): EmailText => email(lang, texts[lang].kept, [texts[lang].keptText])

/** In both languages: nobody is left whose language is known. */
export function erasedEmail(): EmailText {
  const { en, cn } = texts
  return email('en', `${en.erased} · ${cn.erased}`, [en.erasedText, cn.erasedText])
}
