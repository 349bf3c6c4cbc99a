import type { Lang } from '@tidenet/contract'
import { type EmailText, emailPage, paragraph, sentence, toMinute } from '../../platform/mail/templates.ts'

/** What owners are told of their devices. */

export type DeviceNews = 'away' | 'back'

interface Told {
  id: string
  name: string
  /** Its last word. */
  seen_at: Date | null
}

const texts = {
  en: {
    subject: {
      away: (count: number) =>
        count === 1 ? 'Your Tidenet device is offline' : `${count} of your Tidenet devices are offline`,
      back: (count: number) =>
        count === 1 ? 'Your Tidenet device is back' : `${count} of your Tidenet devices are back`,
    },
    body: {
      away: 'The network has heard nothing since the time given below. Check power and connection. Other nodes will take over the copies.',
      back: 'All is well again; there is nothing to do.',
    },
    device: (name: string, since: string) => (since ? `${name}: last heard of at ${since} UTC` : name),
    more: (count: number) => `and ${count} more`,
    where: 'Your devices, and which of them you get mails about:',
  },
  cn: {
    subject: {
      away: (count: number) => (count === 1 ? '您的 Tidenet 设备已离线' : `您有 ${count} 台 Tidenet 设备已离线`),
      back: (count: number) =>
        count === 1 ? '您的 Tidenet 设备已恢复在线' : `您有 ${count} 台 Tidenet 设备已恢复在线`,
    },
    body: {
      away: '自下列时间起，网络未再收到消息。请检查电源与网络连接。在此期间，相关副本将由其他节点接管。',
      back: '现已恢复正常，无需任何操作。',
    },
    device: (name: string, since: string) => (since ? `${name}：最后在线时间 ${since} UTC` : name),
    more: (count: number) => `另有 ${count} 台`,
    where: '查看您的设备并设置邮件提醒：',
  },
} as const satisfies Record<Lang, unknown>

/** Whoever runs a node names it: a name is one line, whatever it holds. */
const plain = (name: string): string => name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()

/** So many are named in one mail. */
const NAMED = 20

/** @param devices at least one @param url of the owner's devices in the portal */
export function deviceEmail(lang: Lang, what: DeviceNews, devices: readonly Told[], url: string): EmailText {
  const { subject, body, device, more, where } = texts[lang]
  const since = (at: Date | null) => (what === 'away' && at ? toMinute(at.toISOString()) : '')
  const named = devices.slice(0, NAMED).map(({ id, name, seen_at }) => device(plain(name) || id, since(seen_at)))
  if (devices.length > NAMED) named.push(more(devices.length - NAMED))
  const title = subject[what](devices.length)
  const lead = sentence(lang, title)
  return {
    subject: title,
    text: [lead, '', body[what], '', ...named, '', `${where} ${url}`, '', 'Tidenet', ''].join('\n'),
    html: emailPage(lang, [
      paragraph(lead, 'font-size:16px'),
      paragraph(body[what], 'font-size:14px'),
      ...named.map((line) => paragraph(line, 'font-size:14px;margin:4px 0')),
      paragraph(`${where} ${url}`, 'font-size:14px;color:#5b6472'),
    ]),
  }
}
