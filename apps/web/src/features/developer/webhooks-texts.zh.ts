import type { Texts } from './webhooks-texts.en.ts'

export const texts: Texts = {
  title: 'Webhook',
  intro:
    '账号有事件发生时，门户以 POST 请求将 JSON 发送到您的服务器，并按 Standard Webhooks 签名。可在控制台创建 Webhook 和发送测试。',
  open: '打开 Webhook',
  verify: '验证每个请求',
  verifyText:
    '请使用收到的原始请求体，拒绝五分钟以前的请求，并且每个 webhook-id 只处理一次：同一事件可能送达两次，先后顺序也不固定。任何支持 Standard Webhooks 的库均可使用。',
  ways: { sdk: 'TypeScript', python: 'Python' },
  events: '事件',
  body: '请求体为 { type, timestamp, data }。请忽略未知的字段和事件。',
  when: {
    'asset.uploaded': '文件或上传的文件夹已列入账号，包括秒传；从回收站恢复时不发送。',
    'asset.deleted': '资产已移入回收站（trashed 为 true）或彻底删除。每个事件最多 500 个 CID，超出部分在后续事件中。',
    'share.opened': '他人下载了分享的文件；同一访客 24 小时内只计一次。',
    'order.status': '订单状态已变化。',
    'replica.lost': '内容有副本丢失，即将补足：每分钟最多一个事件，列出剩余副本最少的 100 个内容。',
  },
  retries: '应答与重试',
  rules: [
    '十秒内返回 200 到 299 的状态码视为送达；不跟随重定向。',
    '返回 410 会停用该 Webhook。',
    '其他情况按下列间隔重试，每次间隔有至多十分之一的浮动。之后的 30 天内可在控制台重新投递。',
    '连续三天没有一次成功的 Webhook 会被停用，并发送邮件通知。',
    '地址须为公网 https:// 地址，端口为 443 或 1023 以上。',
  ],
  delays: '每次失败后的间隔',
}
