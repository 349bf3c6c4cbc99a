import type { Texts } from './texts.en.ts'

const n = (count: number) => count.toLocaleString('zh-CN')

export const texts: Texts = {
  name: '您的称呼',
  email: '邮箱',
  emailHint: '仅用于答复您。',
  organisation: '单位',
  text: '留言',
  left: (count) => `还可输入 ${n(count)} 个字符`,
  send: '发送',
  sending: '正在发送',
  problems: {
    name: '请填写您的称呼。',
    nameLong: (most) => `最多 ${n(most)} 个字符。`,
    nameForm: '请填写在一行内，不含控制字符。',
    emailMissing: '请输入邮箱地址。',
    emailInvalid: '邮箱地址格式不正确。',
    text: '请写几句话。',
    textLong: (most) => `最多 ${n(most)} 个字符。`,
    summary: (count) => `有 ${n(count)} 处需要修改。`,
  },
  sentTitle: '您的留言已送达',
  sentText: (email) => `确认邮件正发往 ${email}。我们会人工阅读您的留言，并答复到该邮箱。`,
  sentLater: '目标是两个工作日内答复。如果没有收到确认邮件，请先看看垃圾邮件箱。',
  again: '再写一条留言',

  panel: {
    about: '关于哪方面？',
    topics: { support: '在线客服', feedback: '意见反馈', contact: '商务合作' },
    labels: {
      feedback: '哪里令人困惑、太慢、有错，或缺少什么？',
      contact: '您想用这个网络做什么？',
    },
    form: '我们通过邮件答复，目标为两个工作日内。',
    elsewhere: '其他渠道',
    ownForm: '本站运营者的反馈表单',
  },
}
