import type { Lang } from '@tidenet/contract'
import { composeEmail, type EmailText } from '../../platform/mail/templates.ts'

const texts = {
  en: {
    subject: 'A webhook of your Tidenet account was disabled',
    which: (name: string, host: string) => `Name: ${name}, host: ${host}`,
    reason: {
      gone: 'The receiver answered with status 410: it wants no more events.',
      failing: 'For three days, no delivery succeeded.',
    },
    next: 'Events that were not delivered can be replayed for 30 days. Correct the receiver, then enable the webhook here:',
  },
  cn: {
    subject: '您的 Tidenet 账号有 Webhook 已停用',
    which: (name: string, host: string) => `名称：${name}，主机：${host}`,
    reason: { gone: '接收方返回状态码 410，表示不再接收事件。', failing: '连续三天没有一次投递成功。' },
    next: '未送达的事件在 30 天内可以重新投递。请修复接收方，然后在此启用 Webhook：',
  },
} as const satisfies Record<Lang, unknown>

export function disabledEmail(
  lang: Lang,
  reason: 'gone' | 'failing',
  { name, host }: { name: string; host: string },
  page: string,
): EmailText {
  const text = texts[lang]
  const lines = [text.which(name, host), text.reason[reason], text.next, page]
  return composeEmail(lang, { subject: text.subject }, [{ lines }])
}
