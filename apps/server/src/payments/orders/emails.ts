import type { Lang, OrderNotice } from '@tidenet/contract'
import { composeEmail, type EmailText, MUTED, toMinute } from '../../platform/mail/templates.ts'
import { autoRenewTexts } from './texts.ts'

/** Notices about orders, by e-mail and in the portal. */

export interface NoticeOrder {
  id: string
  cpu: number
  ram: number
  storage: number
  gpus?: number
}

const reasonOf = (problem: string, lang: Lang): string =>
  autoRenewTexts[problem as keyof typeof autoRenewTexts]?.[lang] ?? ''

/** Begin, end and coins of an outage, separated by spaces. */
function outageOf(fact: string) {
  const [from = '', to = '', coins = ''] = fact.split(' ')
  return { from: toMinute(from), to: toMinute(to), coins }
}

const texts = {
  en: {
    subject: {
      endsInADay: 'Your Tidenet order expires within a day',
      endsInAnHour: 'Your Tidenet order expires within an hour',
      failed: 'Your Tidenet order could not be set up',
      refunded: 'Your Tidenet order was refunded',
      expired: 'Your Tidenet order has expired',
      renewed: 'Your Tidenet order was renewed',
      autoRenewFailed: 'Your Tidenet order could not be renewed automatically',
      autoRenewAtRisk: 'Your Tidenet order cannot be renewed automatically',
      deletedInADay: 'The data of your Tidenet order will be deleted within a day',
      deleted: 'The data of your Tidenet order was deleted',
      outage: 'Your Tidenet workspace was not available',
    },
    body: {
      endsInADay: (when: string) =>
        `It expires at ${when} UTC. Renew it before then to continue. Otherwise the workspace is stopped, kept for 72 hours, and then deleted.`,
      endsInAnHour: (when: string) =>
        `It expires at ${when} UTC. Renew it before then to continue. Otherwise the workspace is stopped, kept for 72 hours, and then deleted.`,
      failed: () =>
        'The cluster could not provide the resources you bought. Your full payment is refunded to your wallet.',
      refunded: (coins: string) => `${coins} cTNT were refunded to your wallet.`,
      expired: (when: string) =>
        `The workspace is stopped and kept until ${when} UTC. Buy the order again before then to restore it; after that it is deleted.`,
      renewed: (hours: string) => `Its total duration is now ${hours} hours.`,
      autoRenewFailed: () => 'Automatic renewal is now off. To keep using the order, renew it before it expires.',
      autoRenewAtRisk: (problem: string) =>
        `${reasonOf(problem, 'en')}. Unless this changes, the order expires when its hours are used up. See its details for what you can do.`,
      deletedInADay: (when: string) =>
        `Its workspace is stopped and kept until ${when} UTC. Buy the order again before then to restore it; after that it cannot be restored.`,
      outage: (fact: string) => {
        const { from, to, coins } = outageOf(fact)
        return `From ${from} until ${to} UTC. ${coins} cTNT are paid back to your wallet. The receipt is in the details of the order.`
      },
      deleted: () => 'The workspace was kept for 72 hours after the order ended, and it was not bought again.',
    },
    order: ({ id, cpu, ram, storage, gpus }: NoticeOrder) =>
      `Order ${id}: ${cpu} ${cpu === 1 ? 'core' : 'cores'}, ${ram} GiB memory, ${storage} GiB disk${gpus ? `, GPUs: ${gpus}` : ''}`,
    where: 'Your orders:',
  },
  cn: {
    subject: {
      endsInADay: '您的 Tidenet 订单将在一天内到期',
      endsInAnHour: '您的 Tidenet 订单将在一小时内到期',
      failed: '您的 Tidenet 订单未能开通',
      refunded: '您的 Tidenet 订单已退款',
      expired: '您的 Tidenet 订单已到期',
      renewed: '您的 Tidenet 订单已续费',
      autoRenewFailed: '您的 Tidenet 订单自动续费失败',
      autoRenewAtRisk: '您的 Tidenet 订单将无法自动续费',
      deletedInADay: '您的 Tidenet 订单数据将在一天内删除',
      deleted: '您的 Tidenet 订单数据已删除',
      outage: '您的 Tidenet 工作区曾中断服务',
    },
    body: {
      endsInADay: (when: string) =>
        `到期时间：${when} UTC。如需继续使用，请在此之前续费；否则到期后工作区将停止运行，保留 72 小时后删除。`,
      endsInAnHour: (when: string) =>
        `到期时间：${when} UTC。如需继续使用，请在此之前续费；否则到期后工作区将停止运行，保留 72 小时后删除。`,
      failed: () => '集群未能提供您购买的资源，已支付的金额将全部退回您的钱包。',
      refunded: (coins: string) => `${coins} cTNT 已退回您的钱包。`,
      expired: (when: string) => `工作区已停止，保留至 ${when} UTC。在此之前再次购买即可恢复，逾期将被删除。`,
      renewed: (hours: string) => `当前总时长为 ${hours} 小时。`,
      autoRenewFailed: () => '自动续费已关闭。如需继续使用，请在到期前手动续费。',
      autoRenewAtRisk: (problem: string) =>
        `原因：${reasonOf(problem, 'cn')}。如不处理，订单将在时长用完后到期。可在订单详情中查看处理方法。`,
      deletedInADay: (when: string) => `工作区已停止，保留至 ${when} UTC。在此之前再次购买即可恢复，逾期无法恢复。`,
      outage: (fact: string) => {
        const { from, to, coins } = outageOf(fact)
        return `中断时间：${from} 至 ${to} UTC。${coins} cTNT 将退回您的钱包，凭证见订单详情。`
      },
      deleted: () => '订单到期后，工作区保留了 72 小时，期间未再次购买。',
    },
    order: ({ id, cpu, ram, storage, gpus }: NoticeOrder) =>
      `订单 ${id}：${cpu} 核，内存 ${ram} GiB，磁盘 ${storage} GiB${gpus ? `，GPU ${gpus} 个` : ''}`,
    where: '查看订单：',
  },
} as const satisfies Record<
  Lang,
  { subject: Record<OrderNotice, string>; body: Record<OrderNotice, (fact: string) => string> } & Record<
    string,
    unknown
  >
>

/** Times are stored as RFC 3339 and shown to the minute. */
const formatFact = (fact: string) => (/^\d{4}-\d\d-\d\dT\S+$/.test(fact) ? toMinute(fact) : fact)

/** One line for the portal. @param fact a time, coins or hours, depending on the kind */
export const formatNotice = (lang: Lang, kind: OrderNotice, fact: string): string =>
  `${texts[lang].subject[kind]}${lang === 'cn' ? '。' : '. '}${texts[lang].body[kind](formatFact(fact))}`

/** @param url of the orders in the portal */
export function orderEmail(lang: Lang, kind: OrderNotice, order: NoticeOrder, fact: string, url: string): EmailText {
  const { subject, body, order: name, where } = texts[lang]
  return composeEmail(lang, { subject: subject[kind] }, [
    { lines: [body[kind](formatFact(fact))] },
    { lines: [name(order), `${where} ${url}`], style: MUTED },
  ])
}
