import type { Lang, LeadKind } from '@tidenet/contract'
import { composeEmail, type EmailText, emailPage, MUTED, paragraph } from '../../platform/mail/templates.ts'

export interface Lead {
  kind: LeadKind
  name: string
  email: string
  organisation: string
  text: string
  lang: Lang
}

const texts = {
  en: {
    subject: {
      aiproxy: 'We received your AI proxy request',
      aidata: 'We received your AI data request',
      pcdn: 'We received your PCDN request',
      containers: 'We received your container request',
      exchange: 'We received your question about the points exchange',
      feedback: 'Thank you for your feedback',
      support: 'We received your question',
      contact: 'We received your message',
    },
    lead: 'The operators of Tidenet received your message. They will reply to this address.',
    ignore:
      'If you did not contact us, somebody entered your address by mistake. You can ignore this e-mail; we will not send you anything else.',
  },
  cn: {
    subject: {
      aiproxy: '我们已收到您的 AI 代理需求',
      aidata: '我们已收到您的 AI 数据采集需求',
      pcdn: '我们已收到您的 PCDN 需求',
      containers: '我们已收到您的容器需求',
      exchange: '我们已收到您关于 TNT4 兑换的问题',
      feedback: '感谢您的反馈',
      support: '我们已收到您的问题',
      contact: '我们已收到您的来信',
    },
    lead: '您的来信已送达 Tidenet 运营者，回复将发送至本邮箱。',
    ignore: '如非本人提交，可能是他人误填了您的邮箱。请忽略本邮件，我们不会再向您发送其他内容。',
  },
} as const satisfies Record<Lang, unknown>

/** The confirmation for the sender. It does not repeat the message, because anyone can enter any address. */
export function confirmationEmail(lang: Lang, kind: LeadKind): EmailText {
  const { subject, lead, ignore } = texts[lang]
  return composeEmail(lang, { subject: subject[kind], lead }, [{ lines: [ignore], style: MUTED }])
}

/** The e-mail to the operators. */
export function leadEmail({ kind, name, email, organisation, text, lang }: Lead): EmailText {
  const rows = [
    ['kind', kind],
    ['name', name],
    ['e-mail', email],
    ['organisation', organisation],
    ['language', lang === 'cn' ? '中文' : 'English'],
  ].filter(([, value]) => value !== '')
  return {
    subject: `Tidenet: ${kind}`,
    text: [...rows.map(([label, value]) => `${label}: ${value}`), '', text, ''].join('\n'),
    html: emailPage('en', [
      ...rows.map(([label, value]) => paragraph(`${label}: ${value}`, 'font-size:14px')),
      paragraph(text, 'margin:24px 0;font-size:16px;white-space:pre-wrap'),
    ]),
  }
}
