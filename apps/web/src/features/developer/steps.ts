/** The steps of the examples, in display order. */
export const steps = ['upload', 'list', 'download', 'share'] as const
export type Step = (typeof steps)[number]
