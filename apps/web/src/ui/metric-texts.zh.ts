import type { Texts } from './metric-texts.en.ts'

export const texts: Texts = {
  measured: (when) => `${when} 实测。`,
  target: '目标值，尚未实测。',
  today: (now) => `目标值；今天为 ${now}。`,
  aim: '目标值。',
  noNodes: '目标值；目前没有可供统计的节点。',
  tooLittle: (over) => `目标值；目前仅测量了 ${over}，时间太短，尚无法比较。`,
  todayOver: (now, over) => `目标值；今天为 ${now}，实测时长 ${over}。`,
  hours: (count) => `${count} 小时`,
  days: (count) => `${count} 天`,
}
