import type { OrderLabel } from './order-enums.ts'

/** Order states as users read them, in the portal and on the command line. Apart, so that a program has only its language. */

export const orderLabelsEn: Readonly<Record<OrderLabel, string>> = {
  created: 'Created (unpaid)',
  paid: 'Paid',
  running: 'Running',
  expired: 'Expired',
  failed: 'Allocation failed',
  refunded: 'Refunded',
  cancelled: 'Cancelled',
  upgrading: 'Upgrading',
  renewing: 'Renewing',
  replacing: 'Being replaced',
  replaced: 'Replaced by an upgrade',
  terminated: 'Terminated',
}

export const orderLabelsZh: Readonly<Record<OrderLabel, string>> = {
  created: '已创建（未支付）',
  paid: '已支付',
  running: '运行中',
  expired: '已到期',
  failed: '分配失败',
  refunded: '已退款',
  cancelled: '已取消',
  upgrading: '升级中',
  renewing: '续费中',
  replacing: '待替换',
  replaced: '已被升级替换',
  terminated: '已终止',
}
