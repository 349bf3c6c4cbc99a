import type { Texts } from './texts.en.ts'

export const texts: Texts = {
  states: {
    available: '现已可用',
    unavailable: '暂不可用',
    planned: '规划中',
    request: '接受申请',
    checking: '检测中',
    unknown: '状态未知',
  },
  questions: '常见问题',
  reading: '延伸阅读',
  readingTo: '全部文章',
  request: '提交申请',
  next: '提交之后',
  nextSteps: (mail) => [
    mail?.operators
      ? '您的留言保存在这里，并以邮件发给本网络的运营者，其他人看不到。'
      : '您的留言保存在这里，供本网络的运营者查看，其他人看不到。',
    mail && !mail.sent
      ? '本站未启用邮件发送，因此不会有确认邮件。'
      : '确认邮件会立即发往您的邮箱，其中不会重复您写的内容。',
    '由真人阅读并以邮件答复。目标是两个工作日内，这是目标，不是承诺。',
  ],
  nothing: '提交申请不会产生订单，也不会产生费用。',
  toServices: '全部服务及其状态',
  measuredToday: '今天的实测值',
}
