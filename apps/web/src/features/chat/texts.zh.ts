import type { Texts } from './texts.en.ts'

const n = (count: number) => count.toLocaleString('zh-CN')

export const texts: Texts = {
  title: '联系客服',
  log: '与客服的对话',
  agent: '客服',
  you: '您',
  online: '客服在线。',
  offline: '客服当前不在线。请留言，我们稍后回复。',
  connecting: '正在连接…',
  disconnected: '连接已断开，正在重新连接…',
  failed: '无法加载对话',
  introTitle: '有什么可以帮您？',
  intro: '中英文均可。请说明您做了什么、看到了什么、预期的结果是什么。',
  message: '您的消息',
  placeholder: '输入消息',
  send: '发送',
  sending: '正在发送',
  sent: '已发送',
  notSent: '发送失败',
  retry: '重试',
  discard: '删除',
  left: (count) => `还可输入 ${n(count)} 个字符`,
  tooLong: (count) => `超出 ${n(count)} 个字符`,
  earlier: '查看更早的消息',
  newMessages: '新消息',
  today: '今天',
  yesterday: '昨天',
  events: {
    closed: '对话已结束',
    reopened: '对话已重新打开',
    rated: (rating) => `您的评分：${rating} 分（满分 5 分）`,
  },
  closedHint: '再次发送消息即可重新打开。',

  away: {
    title: '回复发送到哪个邮箱？',
    text: '客服当前不在线。回复也会出现在这里。',
    email: '邮箱',
    save: '接收邮件回复',
    own: (email) => `将回复发送到 ${email}`,
    on: (email) => `您未在此处阅读的回复会发送到 ${email}。`,
    change: '更改',
    stop: '停止',
    invalid: '邮箱地址格式不正确。',
    saved: '已保存',
  },

  rating: {
    title: '您对本次服务满意吗？',
    names: ['非常不满意', '不满意', '一般', '满意', '非常满意'],
    comment: '还有什么想告诉我们？',
    send: '提交评价',
    thanks: '感谢您的评价',
  },

  menu: {
    open: '更多操作',
    save: '下载对话记录',
    remove: '删除对话',
    removeTitle: '删除这段对话？',
    removeText: '删除后，您和客服都无法再看到这些消息，且无法恢复。',
    removed: '对话已删除',
  },

  file: {
    attach: '添加附件',
    remove: (name) => `移除 ${name}`,
    tooLarge: (name, most) => `${name} 超过 ${most}。`,
    empty: (name) => `${name} 是空文件。`,
    uploading: (name) => `正在上传 ${name}`,
    failed: (name) => `${name} 上传失败`,
    download: (name) => `下载 ${name}`,
  },
}
