import type { Lang } from '@tidenet/contract'
import { escapeHtml } from './templates.ts'

/** An entry of `/dev/mailbox.json`. `time` is RFC 3339; `code` is the first six-digit code of the text. */
export interface MailboxEntry {
  id: number
  to: string
  subject: string
  text: string
  code: string | null
  time: string
}

const texts = {
  en: {
    title: 'Development mailbox',
    note: 'This server does not send e-mails. All of them appear here. The page refreshes automatically.',
    to: 'To',
    show: 'Show',
    all: 'All recipients',
    none: 'No e-mails yet.',
  },
  cn: {
    title: '开发邮箱',
    note: '本服务器不会向外发送邮件，所有邮件都会出现在这里；页面自动刷新。',
    to: '收件人',
    show: '查看',
    all: '全部收件人',
    none: '暂无邮件。',
  },
} as const satisfies Record<Lang, unknown>

/** No script and no inline style, as the content security policy requires. */
export function mailboxPage(lang: Lang, to: string, mails: readonly MailboxEntry[]): string {
  const text = texts[lang]
  const locale = lang === 'cn' ? 'zh-CN' : 'en'
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="5">
<title>${text.title}</title>
<link rel="stylesheet" href="/dev/mailbox.css">
</head>
<body>
<main>
<h1>${text.title}</h1>
<p class="note">${text.note}</p>
<form method="get" action="/dev/mailbox">
<label for="to">${text.to}</label>
<input id="to" name="to" type="email" value="${escapeHtml(to)}">
<button>${text.show}</button>
${to === '' ? '' : `<a href="/dev/mailbox">${text.all}</a>`}
</form>
${mails.length === 0 ? `<p class="none">${text.none}</p>` : ''}
${mails
  .map(
    (mail) => `<article>
<h2>${escapeHtml(mail.subject)}</h2>
<p class="meta"><a href="/dev/mailbox?to=${encodeURIComponent(mail.to)}">${escapeHtml(mail.to)}</a> · <time datetime="${mail.time}">${time.format(new Date(mail.time))} UTC</time></p>
<pre>${withLargeCode(mail)}</pre>
</article>`,
  )
  .join('\n')}
</main>
</body>
</html>
`
}

const withLargeCode = ({ text, code }: MailboxEntry): string =>
  code === null ? escapeHtml(text.trim()) : escapeHtml(text.trim()).replace(code, `<strong>${code}</strong>`)

export const mailboxStyle = `:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', sans-serif; background: light-dark(#f4f6f9, #10141a); color: light-dark(#14181f, #e8ecf2); }
main { max-width: 680px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { margin: 0; font-size: 24px; }
h2 { margin: 0; font-size: 17px; overflow-wrap: anywhere; }
.note, .meta, .none { margin: 4px 0 0; color: light-dark(#5b6472, #9aa5b4); }
.meta { font-size: 14px; overflow-wrap: anywhere; }
.none { margin-top: 32px; text-align: center; }
form { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 16px 0; }
input { flex: 1 1 200px; min-width: 0; }
input, button { font: inherit; padding: 8px 12px; border: 1px solid light-dark(#c3cad5, #39424f); border-radius: 8px; background: light-dark(#ffffff, #171c24); color: inherit; }
button { cursor: pointer; }
a { color: light-dark(#0b5cad, #7db8f5); }
article { margin: 12px 0; padding: 16px; border-radius: 12px; background: light-dark(#ffffff, #171c24); border: 1px solid light-dark(#dfe4ec, #272f3a); }
pre { margin: 12px 0 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
pre strong { font: 700 34px/1.6 Menlo, Consolas, monospace; letter-spacing: 6px; }
`
