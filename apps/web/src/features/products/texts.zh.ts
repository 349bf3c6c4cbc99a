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
      ? '您的留言会保存在本站，并通过邮件发送给运营人员，其他人无法查看。'
      : '您的留言会保存在本站，仅运营人员可以查看。',
    mail && !mail.sent ? '本站未启用邮件发送，因此不会有确认邮件。' : '您会立即收到确认邮件，邮件中不包含留言内容。',
    '我们会人工阅读并通过邮件答复，目标为两个工作日内，但不作承诺。',
  ],
  nothing: '提交申请不会产生订单，也不会产生费用。',
  toServices: '全部服务及其状态',
  measuredToday: '今日实测',
}
