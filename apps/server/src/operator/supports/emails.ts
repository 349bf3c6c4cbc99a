import type { Lang } from '@tidenet/contract'
import { type EmailText, emailPage, paragraph } from '../../platform/mail/templates.ts'
import type { Support } from '../../storage/index.ts'

/** The e-mail to the operators. All of it is text of the sender. */
export function supportEmail({
  traceId,
  name,
  text,
  sender,
  lang,
}: Support & { sender: string; lang: Lang }): EmailText {
  const rows = [
    ['trace', traceId],
    ['file', name],
    ['account', sender],
    ['language', lang === 'cn' ? '中文' : 'English'],
  ].filter(([, value]) => value !== '')
  return {
    subject: 'Tidenet: a transfer was sent to support',
    text: [...rows.map(([label, value]) => `${label}: ${value}`), '', text, ''].join('\n'),
    html: emailPage('en', [
      ...rows.map(([label, value]) => paragraph(`${label}: ${value}`, 'font-size:14px')),
      paragraph(text, 'margin:24px 0;font-size:16px;white-space:pre-wrap'),
    ]),
  }
}
