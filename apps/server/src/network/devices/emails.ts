import type { Lang } from '@tidenet/contract'
import { type EmailText, emailPage, paragraph, sentence, toMinute } from '../../platform/mail/templates.ts'

/** E-mails to node owners. */

export type DeviceEvent = 'offline' | 'online'

interface Device {
  id: string
  name: string
  /** Time of the last heartbeat. */
  seen_at: Date | null
}

const texts = {
  en: {
    subject: {
      offline: (count: number) =>
        count === 1 ? 'Your Tidenet device is offline' : `${count} of your Tidenet devices are offline`,
      online: (count: number) =>
        count === 1 ? 'Your Tidenet device is back online' : `${count} of your Tidenet devices are back online`,
    },
    body: {
      offline:
        'We have received no heartbeat since the time below. Check power and network connection. Other nodes take over the copies.',
      online: 'Everything works again. You do not need to do anything.',
    },
    device: (name: string, since: string) => (since ? `${name}: last seen at ${since} UTC` : name),
    more: (count: number) => `and ${count} more`,
    where: 'Show your devices and change e-mail settings:',
  },
  cn: {
    subject: {
      offline: (count: number) => (count === 1 ? '您的 Tidenet 设备已离线' : `您有 ${count} 台 Tidenet 设备已离线`),
      online: (count: number) =>
        count === 1 ? '您的 Tidenet 设备已恢复在线' : `您有 ${count} 台 Tidenet 设备已恢复在线`,
    },
    body: {
      offline: '自下列时间起，我们未再收到设备的心跳。请检查电源与网络连接。相关副本将由其他节点接管。',
      online: '现已恢复正常，无需任何操作。',
    },
    device: (name: string, since: string) => (since ? `${name}：最后在线时间 ${since} UTC` : name),
    more: (count: number) => `另有 ${count} 台`,
    where: '查看设备并设置邮件通知：',
  },
} as const satisfies Record<Lang, unknown>

/** Owners choose node names, so control characters and line breaks are removed. */
const singleLine = (name: string): string => name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()

/** Devices listed by name in one e-mail. */
const LISTED_MAX = 20

/** @param devices at least one @param url the portal's page of the owner's devices */
export function deviceEmail(lang: Lang, event: DeviceEvent, devices: readonly Device[], url: string): EmailText {
  const { subject, body, device, more, where } = texts[lang]
  const since = (at: Date | null) => (event === 'offline' && at ? toMinute(at.toISOString()) : '')
  const lines = devices
    .slice(0, LISTED_MAX)
    .map(({ id, name, seen_at }) => device(singleLine(name) || id, since(seen_at)))
  if (devices.length > LISTED_MAX) lines.push(more(devices.length - LISTED_MAX))
  const title = subject[event](devices.length)
  const lead = sentence(lang, title)
  return {
    subject: title,
    text: [lead, '', body[event], '', ...lines, '', `${where} ${url}`, '', 'Tidenet', ''].join('\n'),
    html: emailPage(lang, [
      paragraph(lead, 'font-size:16px'),
      paragraph(body[event], 'font-size:14px'),
      ...lines.map((line) => paragraph(line, 'font-size:14px;margin:4px 0')),
      paragraph(`${where} ${url}`, 'font-size:14px;color:#5b6472'),
    ]),
  }
}
