/** Source of a marketing figure. */
export const texts = {
  measured: (when: string) => `Measured ${when}.`,
  target: 'Target, not measured yet.',
  today: (now: string) => `Target; today ${now}.`,
  aim: 'Target.',
  noNodes: 'Target; no node has been observed yet.',
  tooLittle: (over: string) => `Target; measured for only ${over}, too short to compare.`,
  todayOver: (now: string, over: string) => `Target; today ${now}, measured over ${over}.`,
  hours: (count: number) => (count === 1 ? '1 hour' : `${count} hours`),
  days: (count: number) => `${count} days`,
}

export type Texts = typeof texts
