import type { Texts } from './world-map-texts.en.ts'

export const texts: Texts = {
  kinds: { 1: '边缘节点', 2: '候选节点', 3: '验证节点' },
  status: { online: '在线', offline: '离线', abnormal: '异常' },
  nodes: (count) => `${count} 个节点`,
  onlineOf: (online, count) => `${count} 个中 ${online} 个在线`,
  further: (count) => `另有 ${count} 个`,
  hint: '用方向键在各点之间移动，按回车键固定显示。',
  legend: '图例',
}
