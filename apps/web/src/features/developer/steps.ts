/** What every program does, in the order in which it is shown. */
export const steps = ['upload', 'list', 'download', 'share'] as const
export type Step = (typeof steps)[number]
