import type { Texts } from './orders-texts.en.ts'

export const texts: Texts = {
  search: '查找订单',
  searchHint: '订单号、账号 ID 或钱包地址',
  status: '状态',
  order: '订单',
  account: '账号',
  noEmail: '未绑定邮箱的账号',
  price: '价格',
  bought: '购买时间',
  stuck: (tries) => `下一步骤已失败 ${tries} 次`,
  none: '暂无订单',
  noneText: '所有账号的订单会显示在这里。当前能否下单，请查看集群。',
  toClusters: '查看集群',
}
