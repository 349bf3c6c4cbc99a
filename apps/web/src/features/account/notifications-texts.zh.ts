import type { Texts } from './notifications-texts.en.ts'

export const texts: Texts = {
  intro: (email) => `选择接收哪些通知以及接收方式。邮件发送至 ${email}；团队的通知发送给团队所有者。`,
  noEmail: '此账号未绑定邮箱，无法接收邮件。请在账号页面添加邮箱。',
  failed: '设置加载失败。',
  columns: { kind: '通知类别', email: '邮件', portal: '门户' },
  byEmail: (kind) => `${kind}：邮件通知`,
  inPortal: (kind) => `${kind}：在门户中显示`,
  always: '始终开启',
  onItsPage: '见对应页面',
  kinds: {
    security: { name: '安全', text: '登录方式和邮箱发生更改。此类通知无法关闭。' },
    ending: { name: '文件到期', text: '文件或第三方副本即将到期。' },
    usage: { name: '用量', text: '套餐的存储空间或下载流量用到 80% 或用完。' },
    orders: { name: '订单', text: '容器订单到期、续费、失败或退款。' },
    programs: { name: '应用', text: '工作区中的应用反复重启、异常，或磁盘、内存即将用完。' },
    devices: { name: '设备', text: '设备离线、恢复在线、版本过旧或抽查未通过。' },
    earnings: { name: '每周收益', text: '每周一发送设备收益汇总。' },
    teams: { name: '团队邀请', text: '有人邀请您加入团队。邀请也会列在团队页面。' },
    uploads: { name: '收到文件', text: '访客通过您的上传链接上传了文件，多个文件合并为一封邮件。' },
    webhooks: { name: 'Webhook', text: 'Webhook 因投递持续失败而停用。' },
    support: { name: '客服', text: '有您尚未阅读的客服回复。' },
  },
  unsubscribe: {
    text: (kind) => `要关闭 Tidenet 账号的“${kind}”邮件吗？`,
    go: '关闭此类邮件',
    off: (kind) => `您将不再收到“${kind}”邮件。`,
    undo: '重新开启',
    on: (kind) => `“${kind}”邮件已开启。`,
    all: '全部通知设置',
    noToken: '链接不完整，请从邮件中打开完整链接。',
  },
}
