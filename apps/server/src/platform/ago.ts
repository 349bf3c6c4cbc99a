export const DAY = 24 * 3600 * 1000

/** @param ms so long before */
export const ago = (at: Date, ms: number): Date => new Date(at.getTime() - ms)
