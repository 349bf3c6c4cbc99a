export const texts = {
  intro: (days: number) =>
    `Files expire after 549 days. Files that expire within ${days} days are listed here, and you are notified three times before they are deleted. Keep those you still need with one click.`,
  introPaid: 'With your plan, files are kept as long as the plan is active.',
  failed: 'The files could not be loaded.',
  none: (days: number) => `No files expire within ${days} days.`,
  toFiles: 'Show files',
  count: (count: number, number: string) => (count === 1 ? '1 file expires soon.' : `${number} files expire soon.`),
  until: (date: string) => `One click keeps them until ${date}.`,
  ends: (date: string) => `expires on ${date}`,
  keep: 'Keep',
  keepAll: 'Keep all',
  kept: (count: number, date: string) =>
    count === 1 ? `1 file is kept until ${date}.` : `${count} files are kept until ${date}.`,
}

export type Texts = typeof texts
