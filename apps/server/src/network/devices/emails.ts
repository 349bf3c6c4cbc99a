import { certificateTextsEn, certificateTextsZh, type Lang, type NodeCertificate } from '@tidenet/contract'
import { composeEmail, type EmailText, LIST, MUTED, singleLine, toMinute } from '../../platform/mail/templates.ts'
import { type Noticed, QUALITY_MIN } from '../nodes/notices.ts'
import type { NotifiedNode } from '../nodes/owners.ts'

/** E-mails to node owners. */

export type DeviceEvent = 'offline' | 'online' | 'outdated' | 'falling' | 'cloned' | 'certificate'

/** What is said about each device. */
type Detail = { since: string } | { version: string } | { until: string; problem: string } | Troubles | undefined

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
      cloned: (count: number) =>
        count === 1
          ? 'The key of your Tidenet device is used twice'
          : `The keys of ${count} of your Tidenet devices are used twice`,
      certificate: (count: number) =>
        count === 1
          ? 'The certificate of your Tidenet device expires'
          : `The certificates of ${count} of your Tidenet devices expire`,
    },
    body: {
      offline:
        'We have received no heartbeat since the time below. Check power and network connection. Other nodes take over the copies.',
      online: 'Everything works again. You do not need to do anything.',
      outdated:
        'The portal offers a newer version of the node. Stop the node, install the new version, and start it with the same data folder: it keeps its identity, its copies and its history. A device that is installed as a service updates itself; if it could not, the page of your devices says why.',
      falling:
        'Audits or transfers fail, or the clock is wrong. An hour with a failed audit earns nothing, and if more than a fifth of the audits of a device fail, its copies move to other nodes. Check the disk, the internet connection, the public address and the clock.',
      cloned:
        'Two programs with the same key keep replacing each other, so visitors reach the device only now and then. Either its data folder was copied: stop the copy and delete node.key there, and it becomes a device of its own. Or somebody stole the key: then stop the device, delete node.key and start it as a new one.',
      certificate:
        'Without a valid certificate, browsers refuse the device, and it serves and earns less. What is wrong and what to do is said below.',
    },
    device: (name: string, detail: Detail) => {
      if (!detail) return name
      if ('since' in detail) return `${name}: last seen at ${detail.since} UTC`
      if ('version' in detail) return `${name}: version ${detail.version}`
      if ('until' in detail) return `${name}: valid until ${detail.until} UTC. ${detail.problem}`.trim()
      const troubles = [
        ...(detail.abnormal ? ['abnormal'] : []),
        ...(detail.failed === null ? [] : [`${detail.failed}% of recent audits failed`]),
        ...(detail.quality === null ? [] : [`${detail.quality}% of transfers were good`]),
      ]
      return troubles.length > 0 ? `${name}: ${troubles.join(', ')}` : name
    },
    unasked: 'The device does not ask for a new one: update the node, and start it again.',
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
      cloned: (count: number) =>
        count === 1 ? '您的 Tidenet 设备密钥被重复使用' : `您有 ${count} 台 Tidenet 设备的密钥被重复使用`,
      certificate: (count: number) =>
        count === 1 ? '您的 Tidenet 设备证书即将失效' : `您有 ${count} 台 Tidenet 设备的证书即将失效`,
    },
    body: {
      offline: '自下列时间起，我们未再收到设备的心跳。请检查电源与网络连接。相关副本将由其他节点接管。',
      online: '现已恢复正常，无需任何操作。',
      outdated:
        '门户已提供新版节点程序。请停止节点，安装新版本，再用原来的数据文件夹启动：身份、副本和历史均会保留。以服务方式安装的设备会自动更新；如果未能更新，设备页面会说明原因。',
      falling:
        '抽查未通过、传输失败，或设备时钟不准。有抽查未通过的小时没有收益；如果设备有超过五分之一的抽查未通过，其副本将迁往其他节点。请检查磁盘、网络连接、公开地址和时钟。',
      cloned:
        '有两个程序使用同一密钥并反复互相替换，访问者只能时断时续地连接该设备。如果数据文件夹被复制过，请停止副本并删除其中的 node.key，它将成为一台新设备。如果密钥被盗，请停止设备，删除 node.key，再作为新设备启动。',
      certificate: '没有有效证书时，浏览器会拒绝连接该设备，设备提供的服务和收益都会减少。问题和处理办法如下：',
    },
    device: (name: string, detail: Detail) => {
      if (!detail) return name
      if ('since' in detail) return `${name}：最后在线时间 ${detail.since} UTC`
      if ('version' in detail) return `${name}：版本 ${detail.version}`
      if ('until' in detail) return `${name}：有效期至 ${detail.until} UTC。${detail.problem}`
      const troubles = [
        ...(detail.abnormal ? ['异常'] : []),
        ...(detail.failed === null ? [] : [`近期抽查有 ${detail.failed}% 未通过`]),
        ...(detail.quality === null ? [] : [`传输成功率 ${detail.quality}%`]),
      ]
      return troubles.length > 0 ? `${name}：${troubles.join('，')}` : name
    },
    unasked: '设备没有申请新证书，请更新节点程序并重新启动。',
    more: (count: number) => `另有 ${count} 台`,
    where: '查看设备并设置邮件通知：',
  },
} as const satisfies Record<Lang, unknown>

/** Devices listed by name in one e-mail. */
const LISTED_MAX = 20

const percent = (part: number, whole: number): number => Math.round((100 * part) / whole)

/** A device as an e-mail says something about it. */
export type Mailed = NotifiedNode & Partial<Noticed> & { certificate?: NodeCertificate }

function detailOf(event: DeviceEvent, { seen_at, ...noticed }: Mailed, lang: Lang): Detail {
  const { version = '', status, failed = 0, audits = 0, quality = 1, certificate } = noticed
  switch (event) {
    case 'offline':
      return seen_at ? { since: toMinute(seen_at.toISOString()) } : undefined
    case 'online':
    case 'cloned':
      return undefined
    case 'certificate': {
      const { until, problem = '', detail = '' } = certificate ?? {}
      const said =
        problem === ''
          ? texts[lang].unasked
          : (lang === 'en' ? certificateTextsEn : certificateTextsZh)[problem](detail)
      return until ? { until: toMinute(until), problem: said } : undefined
    }
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
export function deviceEmail(lang: Lang, event: DeviceEvent, devices: readonly Mailed[], url: string): EmailText {
  const { subject, body, device, more, where } = texts[lang]
  const lines = devices
    .slice(0, LISTED_MAX)
    .map((each) => device(singleLine(each.name) || each.id, detailOf(event, each, lang)))
  if (devices.length > LISTED_MAX) lines.push(more(devices.length - LISTED_MAX))
  return composeEmail(lang, { subject: subject[event](devices.length) }, [
    { lines: [body[event]] },
    { lines, style: LIST },
    { lines: [`${where} ${url}`], style: MUTED },
  ])
}
