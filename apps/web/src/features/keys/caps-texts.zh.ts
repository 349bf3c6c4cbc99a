import type { Texts } from './caps-texts.en.ts'

export const texts: Texts = {
  traffic: '每月流量（GB）',
  trafficHint: '密钥每个自然月（UTC）可上传和下载的总量。留空表示不限。',
  spending: '每月下单金额（TNT）',
  spendingHint: '密钥每个自然月所下订单的总价，每笔仍由您的钱包支付。留空表示不能下单。',
  badNumber: '请填写数字，或留空。',
  badWhole: '请填写整数，或留空。',
  trafficUsed: (used, cap, left) => `本月流量：已用 ${used} / ${cap}，剩余 ${left}`,
  reserved: (bytes) => `已为进行中的传输预留 ${bytes}`,
  spent: (spent, cap) => `本月下单：${spent} / ${cap} TNT`,
  renewed: (day) => `${day}（UTC）起重新计算`,
}
