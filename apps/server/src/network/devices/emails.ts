import type { Lang } from '@tidenet/contract'
import { composeEmail, type EmailText, LIST, MUTED, singleLine, toMinute } from '../../platform/mail/templates.ts'
import { type Noticed, QUALITY_MIN } from '../nodes/notices.ts'
import type { NotifiedNode } from '../nodes/owners.ts'

/** E-mails to node owners. */

export type DeviceEvent = 'offline' | 'online' | 'outdated' | 'falling'

/** What is said about each device. */
type Detail = { since: string } | { version: string } | Troubles | undefined

/** What is wrong with a device, in percent; null: nothing of this kind. */
interface Troubles {
  failed: number | null
  quality: number | null
  abnormal: boolean
}

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
          ? 'Your Tidenet device does not work reliably'
          : `${count} of your Tidenet devices do not work reliably`,
    },
    body: {
      offline:
        'We have received no heartbeat since the time below. Check power and network connection. Other nodes take over the copies.',
      online: 'Everything works again. You do not need to do anything.',
      outdated:
        'The portal offers a newer version of the node. Stop the node, install the new version, and start it with the same data folder: it keeps its identity, its copies and its history. A device that is installed as a service updates itself; if it could not, the page of your devices says why.',
      falling:
        'Audits or transfers fail, or the clock is wrong. An hour with a failed audit earns nothing, and if more than a fifth of the audits of a device fail, its copies move to other nodes. Check the disk, the internet connection, the public address and the clock.',
    },
    device: (name: string, detail: Detail) => {
      if (!detail) return name
      if ('since' in detail) return `${name}: last seen at ${detail.since} UTC`
      if ('version' in detail) return `${name}: version ${detail.version}`
      const troubles = [
        ...(detail.abnormal ? ['abnormal'] : []),
        ...(detail.failed === null ? [] : [`${detail.failed}% of recent audits failed`]),
        ...(detail.quality === null ? [] : [`${detail.quality}% of transfers were good`]),
      ]
      return troubles.length > 0 ? `${name}: ${troubles.join(', ')}` : name
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
        count === 1 ? '您的 Tidenet 设备运行不稳定' : `您有 ${count} 台 Tidenet 设备运行不稳定`,
    },
    body: {
      offline: '自下列时间起，我们未再收到设备的心跳。请检查电源与网络连接。相关副本将由其他节点接管。',
      online: '现已恢复正常，无需任何操作。',
      outdated:
        '门户已提供新版节点程序。请停止节点，安装新版本，再用原来的数据文件夹启动：身份、副本和历史均会保留。以服务方式安装的设备会自动更新；如果未能更新，设备页面会说明原因。',
      falling:
        '抽查未通过、传输失败，或设备时钟不准。有抽查未通过的小时没有收益；如果设备有超过五分之一的抽查未通过，其副本将迁往其他节点。请检查磁盘、网络连接、公开地址和时钟。',
    },
    device: (name: string, detail: Detail) => {
      if (!detail) return name
      if ('since' in detail) return `${name}：最后在线时间 ${detail.since} UTC`
      if ('version' in detail) return `${name}：版本 ${detail.version}`
      const troubles = [
        ...(detail.abnormal ? ['异常'] : []),
        ...(detail.failed === null ? [] : [`近期抽查有 ${detail.failed}% 未通过`]),
        ...(detail.quality === null ? [] : [`传输成功率 ${detail.quality}%`]),
      ]
      return troubles.length > 0 ? `${name}：${troubles.join('，')}` : name
    },
    more: (count: number) => `另有 ${count} 台`,
    where: '查看设备并设置邮件通知：',
  },
} as const satisfies Record<Lang, unknown>

/** Devices listed by name in one e-mail. */
const LISTED_MAX = 20

const percent = (part: number, whole: number): number => Math.round((100 * part) / whole)

function detailOf(event: DeviceEvent, { seen_at, ...noticed }: NotifiedNode & Partial<Noticed>): Detail {
  const { version = '', status, failed = 0, audits = 0, quality = 1 } = noticed
  switch (event) {
    case 'offline':
      return seen_at ? { since: toMinute(seen_at.toISOString()) } : undefined
    case 'online':
      return undefined
    case 'outdated':
      return { version }
    case 'falling':
      return {
        failed: percent(failed, audits || 1) || null,
        quality: quality < QUALITY_MIN ? percent(quality, 1) : null,
        abnormal: status === 'abnormal',
      }
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
  return composeEmail(lang, { subject: subject[event](devices.length) }, [
    { lines: [body[event]] },
    { lines, style: LIST },
    { lines: [`${where} ${url}`], style: MUTED },
  ])
}
