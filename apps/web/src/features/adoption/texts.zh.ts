import type { texts as en } from './texts.en.ts'

export const texts: typeof en = {
  title: (items) => `将这 ${items.toLocaleString('zh')} 项内容添加到您的账号？`,
  text: '有人未登录时在这台设备上留下了以下内容。只有确认是您本人的内容时才添加。',
  files: (files) => `${files.toLocaleString('zh')} 个已上传的文件`,
  filesText: '不添加的话，文件将在上传 24 小时后删除。在此之前链接仍然有效。',
  messages: (messages) => `${messages.toLocaleString('zh')} 条客服消息`,
  workspace: '运行中的访客机器',
  workspaceText: '时间用完后仍会停止，随后保留 72 小时，期间可购买。',
  messagesText: '添加后可以在账号中继续这段对话。',
  more: (names) => `等另外 ${names.toLocaleString('zh')} 个`,
  add: '添加到我的账号',
  later: '暂不',
  discard: '不是我的内容',
  discarded: '已从这台设备移除',
  added: '已添加到您的账号',
  failed: (files) => `${files.toLocaleString('zh')} 个文件未能添加`,
}
