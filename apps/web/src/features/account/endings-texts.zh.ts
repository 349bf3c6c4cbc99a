import type { Texts } from './endings-texts.en.ts'

export const texts: Texts = {
  intro: (days) =>
    `文件保存 549 天，到期后删除。${days} 天内到期的文件会列在这里，删除前会通知您三次；仍需要的文件可以一键延长保存。`,
  introPaid: '在套餐有效期内，您的文件会一直保存。',
  failed: '文件加载失败。',
  none: (days) => `${days} 天内没有文件到期。`,
  toFiles: '查看文件',
  count: (_, number) => `${number} 个文件即将到期。`,
  until: (date) => `一键延长后可保存至 ${date}。`,
  ends: (date) => `${date} 到期`,
  keep: '延长保存',
  keepAll: '全部延长',
  kept: (count, date) => `已将 ${count} 个文件延长保存至 ${date}。`,
}
