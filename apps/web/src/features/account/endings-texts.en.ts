export const texts = {
  intro: (days: number) =>
    `Files are kept for 549 days. They are listed here ${days} days before they are deleted, and you are told three times. Keep what you still need with one click.`,
  introPaid: 'With your plan, files are kept as long as the plan is active.',
  failed: 'The files could not be loaded.',
  none: (days: number) => `No file is deleted within ${days} days.`,
  toFiles: 'Show files',
  count: (count: number, number: string) =>
    count === 1 ? '1 file is deleted soon.' : `${number} files are deleted soon.`,
  until: (date: string) => `One click keeps them until ${date}.`,
  ends: (date: string) => `deleted on ${date}`,
  keep: 'Keep',
  keepAll: 'Keep all',
  kept: (count: number, date: string) =>
    count === 1 ? `1 file is kept until ${date}.` : `${count} files are kept until ${date}.`,
}

export type Texts = typeof texts
