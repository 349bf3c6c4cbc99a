/** Milliseconds. */
export const DAY = 24 * 3600 * 1000

/** `ms` before `at`. */
export const ago = (at: Date, ms: number): Date => new Date(at.getTime() - ms)
