import type { Texts } from './version-texts.en.ts'

export const texts: Texts = {
  title: '历史版本',
  intro: (versions, days) =>
    `替换文件后，原有内容保留在这里：最多 ${versions} 个版本，每个保留 ${days} 天，只占用空闲容量。`,
  none: '暂无历史版本。',
  failed: '历史版本加载失败',
  version: (number) => `第 ${number} 版`,
  removed: (until) => `已删除，${until} 前可以恢复。`,
  until: (date) => `保留至 ${date}`,
  kept: '保留至删除为止',
  preview: (number) => `预览第 ${number} 版`,
  download: (number) => `下载第 ${number} 版`,
  restore: (number) => `恢复第 ${number} 版`,
  remove: (number) => `删除第 ${number} 版`,
  undelete: (number) => `撤销删除第 ${number} 版`,
  restored: (number) => `已恢复第 ${number} 版，原当前内容保留为历史版本。`,
  wasRemoved: (number) => `已删除第 ${number} 版。`,
  isBack: (number) => `第 ${number} 版已恢复。`,
  more: (count) => `再显示 ${count} 个`,
}
