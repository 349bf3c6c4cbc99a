/** What a claim says of itself. */
export const texts = {
  measured: (when: string) => `Measured ${when}.`,
  target: 'Target, not measured yet.',
  today: (now: string) => `Target; today ${now}.`,
  aim: 'Target.',
}

export type Texts = typeof texts
