import type { Texts } from './claim-texts.en.ts'

export const texts: Texts = {
  measured: (when) => `${when} 实测。`,
  target: '目标值，尚未实测。',
  today: (now) => `目标值；今天为 ${now}。`,
  aim: '目标值。',
}
