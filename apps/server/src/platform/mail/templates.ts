import { CODE_LIFE, type Lang } from '@tidenet/contract'

/** Subject and body of an e-mail. */
export interface EmailText {
  subject: string
  text: string
  html: string
}

export type CodePurpose = 'register' | 'login' | 'reset' | 'node' | 'email' | 'link'

const texts = {
  en: {
    subject: {
      register: 'Your Tidenet registration code',
      login: 'Your Tidenet sign-in code',
      reset: 'Your Tidenet password reset code',
      node: 'Your Tidenet code to remove a node',
      email: 'Your code to use this address for your Tidenet account',
      link: 'Your Tidenet code to open a shared link',
    },
    lead: {
      register: 'Use this code to create your Tidenet account:',
      login: 'Use this code to sign in to Tidenet:',
      reset: 'Use this code to set a new Tidenet password:',
      node: 'Use this code to remove your node from Tidenet:',
      email: 'Use this code to make this the e-mail address of your Tidenet account:',
      link: 'Use this code to open the link that was shared with this address:',
    },
    life: (minutes: number) => `It is valid for ${minutes} minutes and can be used once.`,
    warning: 'Do not share this code. If you did not request it, ignore this e-mail; nothing will change.',
  },
  cn: {
    subject: {
      register: 'Tidenet 注册验证码',
      login: 'Tidenet 登录验证码',
      reset: 'Tidenet 重置密码验证码',
      node: 'Tidenet 移除节点验证码',
      email: 'Tidenet 绑定邮箱验证码',
      link: 'Tidenet 打开分享链接的验证码',
    },
    lead: {
      register: '您正在注册 Tidenet 账号，验证码为：',
      login: '您正在登录 Tidenet，验证码为：',
      reset: '您正在重置 Tidenet 密码，验证码为：',
      node: '您正在从 Tidenet 移除节点，验证码为：',
      email: '您正在将此邮箱设为 Tidenet 账号的邮箱，验证码为：',
      link: '您正在打开分享给此邮箱的链接，验证码为：',
    },
    life: (minutes: number) => `验证码 ${minutes} 分钟内有效，仅可使用一次。`,
    warning: '请勿将验证码告知任何人。如非本人操作，请忽略本邮件，您的账号不会发生任何变化。',
  },
} as const satisfies Record<Lang, unknown>

export function codeEmail(lang: Lang, purpose: CodePurpose, code: string): EmailText {
  const { subject, lead, life, warning } = texts[lang]
  const validity = life(CODE_LIFE / 60_000)
  return {
    subject: subject[purpose],
    text: [lead[purpose], '', `    ${code}`, '', validity, warning, '', 'Tidenet', ''].join('\n'),
    html: emailPage(lang, [
      paragraph(lead[purpose], 'font-size:16px'),
      paragraph(
        code,
        'margin:24px 0;font-size:34px;font-weight:700;letter-spacing:8px;font-family:Menlo,Consolas,monospace',
      ),
      paragraph(validity, 'font-size:14px'),
      paragraph(warning, 'font-size:14px;color:#5b6472'),
    ]),
  }
}

/** `2026-01-31T12:34:56Z` → `2026-01-31 12:34` */
export const toMinute = (time: string): string => time.slice(0, 16).replace('T', ' ')

/** Owners choose node names, so control characters and line breaks are removed. */
export const singleLine = (name: string): string => name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()

/** Turns a subject into the first sentence of the body. */
export const sentence = (lang: Lang, subject: string): string => `${subject}${lang === 'cn' ? '。' : '.'}`

// Mail programs drop style sheets, so all styles are inline.
export const paragraph = (text: string, style: string): string =>
  `<p style="margin:0 0 12px;line-height:1.5;${style}">${escapeHtml(text)}</p>`

interface Block {
  lines: readonly string[]
  /** Of the lines in the page; default: 14 px. */
  style?: string
}

/** Styles of lines: of less importance, and of long addresses or names. */
export const MUTED = 'font-size:14px;color:#5b6472'
export const WRAPPED = 'font-size:14px;overflow-wrap:anywhere'
export const LIST = 'font-size:14px;margin:4px 0'

/** An e-mail: what it is about, blocks of lines, and who sent it. @param lead its first sentence; default: the subject */
export function composeEmail(
  lang: Lang,
  { subject, lead = sentence(lang, subject) }: { subject: string; lead?: string },
  blocks: readonly Block[],
): EmailText {
  const filled = blocks.filter(({ lines }) => lines.length > 0)
  return {
    subject,
    text: [lead, ...filled.flatMap(({ lines }) => ['', ...lines]), '', 'Tidenet', ''].join('\n'),
    html: emailPage(lang, [
      paragraph(lead, 'font-size:16px'),
      ...filled.flatMap(({ lines, style = 'font-size:14px' }) => lines.map((line) => paragraph(line, style))),
    ]),
  }
}

/** The end of every page, before which `withUnsubscribe` writes. */
const PAGE_END = `</div>
</body>
</html>
`

export const emailPage = (lang: Lang, content: string[]): string => `<!doctype html>
<html lang="${lang === 'cn' ? 'zh-CN' : 'en'}">
<body style="margin:0;padding:24px;background:#ffffff;color:#14181f;font-family:system-ui,'Segoe UI','PingFang SC','Microsoft YaHei',sans-serif">
<div style="max-width:480px;margin:0 auto">
${content.join('\n')}
<p style="margin:24px 0 0;padding-top:12px;border-top:1px solid #d9dee6;font-size:13px;color:#5b6472">Tidenet</p>
${PAGE_END}`

const unsubscribeTexts = {
  en: { why: 'You can turn off e-mails of this kind:', link: 'Turn off these e-mails' },
  cn: { why: '您可以关闭此类邮件：', link: '不再接收此类邮件' },
} as const satisfies Record<Lang, unknown>

/** Adds the address that ends e-mails of this kind. */
export function withUnsubscribe(lang: Lang, { subject, text, html }: EmailText, url: string): EmailText {
  const { why, link } = unsubscribeTexts[lang]
  const anchor = `<p style="margin:4px 0 0;font-size:13px"><a href="${escapeHtml(url)}" style="color:#5b6472">${link}</a></p>`
  return {
    subject,
    text: `${text}\n${why}\n${url}\n`,
    html: html.endsWith(PAGE_END) ? `${html.slice(0, -PAGE_END.length)}${anchor}\n${PAGE_END}` : `${html}${anchor}`,
  }
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
