import type { Lang } from '@tidenet/contract'
import { type EmailText, emailPage, paragraph, sentence, singleLine, toMinute } from '../../platform/mail/templates.ts'
import type { Noticed } from '../nodes/notices.ts'
import type { NotifiedNode } from '../nodes/owners.ts'

/** E-mails to node owners. */

export type DeviceEvent = 'offline' | 'online' | 'outdated' | 'falling'

/** What is said about each device. */
type Detail = { since: string } | { version: string } | { failed: number } | { quality: number } | undefined

const texts = {
  en: {
    subject: {
      offline: (count: number) =>
        count === 1 ? 'Your Tidenet device is offline' : `${count} of your Tidenet devices are offline`,
      online: (count: number) =>
        count === 1 ? 'Your Tidenet device is back online' : `${count} of your Tidenet devices are back online`,
      outdated: (count: number) =>
        count === 1
          ? 'Your Tidenet device runs an outdated version'
          : `${count} of your Tidenet devices run an outdated version`,
      falling: (count: number) =>
        count === 1
          ? 'The score of your Tidenet device is falling'
          : `The score of ${count} of your Tidenet devices is falling`,
    },
    body: {
      offline:
        'We have received no heartbeat since the time below. Check power and network connection. Other nodes take over the copies.',
      online: 'Everything works again. You do not need to do anything.',
      outdated:
        'The portal offers a newer version of the node. Stop the node, install the new version, and start it with the same data folder: it keeps its identity, its copies and its history.',
      falling:
        'It fails audits or transfers. An hour with a failed audit earns nothing, and if more than a fifth of the audits fail, the copies move to other nodes. Check the disk, the internet connection, the public address and the clock.',
    },
    device: (name: string, detail: Detail) => {
      if (!detail) return name
      if ('since' in detail) return `${name}: last seen at ${detail.since} UTC`
      if ('version' in detail) return `${name}: version ${detail.version}`
      if ('failed' in detail) return `${name}: ${detail.failed}% of recent audits failed`
      return `${name}: ${detail.quality}% of transfers were good`
    },
    more: (count: number) => `and ${count} more`,
    where: 'Show your devices and change e-mail settings:',
  },
  cn: {
    subject: {
      offline: (count: number) => (count === 1 ? '您的 Tidenet 设备已离线' : `您有 ${count} 台 Tidenet 设备已离线`),
      online: (count: number) =>
        count === 1 ? '您的 Tidenet 设备已恢复在线' : `您有 ${count} 台 Tidenet 设备已恢复在线`,
      outdated: (count: number) =>
        count === 1 ? '您的 Tidenet 设备需要更新版本' : `您有 ${count} 台 Tidenet 设备需要更新版本`,
      falling: (count: number) =>
        count === 1 ? '您的 Tidenet 设备评分正在下降' : `您有 ${count} 台 Tidenet 设备评分正在下降`,
    },
    body: {
      offline: '自下列时间起，我们未再收到设备的心跳。请检查电源与网络连接。相关副本将由其他节点接管。',
      online: '现已恢复正常，无需任何操作。',
      outdated: '门户已提供新版节点程序。请停止节点，安装新版本，再用原来的数据文件夹启动：身份、副本和历史均会保留。',
      falling:
        '设备未能通过抽查或完成传输。有抽查未通过的小时没有收益；如果超过五分之一的抽查未通过，副本将迁往其他节点。请检查磁盘、网络连接、公开地址和时钟。',
    },
    device: (name: string, detail: Detail) => {
      if (!detail) return name
      if ('since' in detail) return `${name}：最后在线时间 ${detail.since} UTC`
      if ('version' in detail) return `${name}：版本 ${detail.version}`
      if ('failed' in detail) return `${name}：近期抽查未通过 ${detail.failed}%`
      return `${name}：传输成功率 ${detail.quality}%`
    },
    more: (count: number) => `另有 ${count} 台`,
    where: '查看设备并设置邮件通知：',
  },
} as const satisfies Record<Lang, unknown>

/** Devices listed by name in one e-mail. */
const LISTED_MAX = 20

const percent = (part: number, whole: number): number => Math.round((100 * part) / whole)

function detailOf(event: DeviceEvent, { seen_at, ...noticed }: NotifiedNode & Partial<Noticed>): Detail {
  const { version = '', failed = 0, audits = 0, quality = 1 } = noticed
  switch (event) {
    case 'offline':
      return seen_at ? { since: toMinute(seen_at.toISOString()) } : undefined
    case 'online':
      return undefined
    case 'outdated':
      return { version }
    case 'falling':
      return failed > 0 && audits > 0 ? { failed: percent(failed, audits) } : { quality: percent(quality, 1) }
  }
}

/** @param devices at least one @param url the portal's page of the owner's devices */
export function deviceEmail(
  lang: Lang,
  event: DeviceEvent,
  devices: readonly (NotifiedNode & Partial<Noticed>)[],
  url: string,
): EmailText {
  const { subject, body, device, more, where } = texts[lang]
  const lines = devices
    .slice(0, LISTED_MAX)
    .map((each) => device(singleLine(each.name) || each.id, detailOf(event, each)))
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
