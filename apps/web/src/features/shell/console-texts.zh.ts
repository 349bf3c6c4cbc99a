import type { Texts } from './console-texts.en.ts'

export const texts: Texts = {
  consoleMenu: '控制台',
  storage: '存储',
  container: '容器',
  claim: '领取测试币',
  buy: '购买资源',
  use: '使用资源',
  feedback: '意见反馈',
  accountId: '账号 ID',
  copyAccountId: '复制账号 ID',
  copyAddress: '复制钱包地址',
  vip: 'VIP',
  enterprise: '企业',
  palette: '搜索',
  online: (count) => `${count.toLocaleString('zh-CN')} 个节点在线`,
  support: '联系支持',
}
