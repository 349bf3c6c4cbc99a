import { type EmailText, emailPage, paragraph, singleLine } from '../../platform/mail/templates.ts'

/** A replica that expires and is not renewed. */
export interface Expiring {
  name: string
  provider: string
  simulated: boolean
  expiresAt: Date
}

const LISTED_MAX = 20

/** In both languages, because accounts have none. @param list at least one @param url the portal's page of files */
export function expiringEmail(list: readonly Expiring[], url: string): EmailText {
  const line = ({ name, provider, simulated, expiresAt }: Expiring) =>
    `${singleLine(name)}: ${singleLine(provider)}${simulated ? ' (simulated / 模拟)' : ''}, ${expiresAt.toISOString().slice(0, 10)}`
  const lines = list.slice(0, LISTED_MAX).map(line)
  if (list.length > LISTED_MAX) lines.push(`+ ${list.length - LISTED_MAX}`)
  const subject = 'Third-party replicas of your files expire soon / 您的第三方副本即将到期'
  const en =
    'These third-party replicas expire on the days below and are not renewed, because your plan does not include them. The copies on Tidenet stay.'
  const cn =
    '以下第三方副本将于所示日期到期，由于您当前的套餐不包含第三方副本，到期后不再续期。Tidenet 上的副本不受影响。'
  return {
    subject,
    text: [en, '', cn, '', ...lines, '', url, '', 'Tidenet', ''].join('\n'),
    html: emailPage('en', [
      paragraph(en, 'font-size:16px'),
      paragraph(cn, 'font-size:16px'),
      ...lines.map((text) => paragraph(text, 'font-size:14px;margin:4px 0')),
      paragraph(url, 'font-size:14px;color:#5b6472'),
    ]),
  }
}
