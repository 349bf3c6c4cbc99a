/** Percent of a quota at which its owner is told. */
const LEVELS = [100, 80] as const
/** Percent below a level at which it counts as left, so that somebody who uploads and deletes around it is told once. */
const MARGIN = 5

/**
 * The level that a quota has reached.
 * @param told the level that the owner was told of; 0: none
 * @returns a higher level than `told` if the owner is to be told; a lower one if they would be told of `told` again
 */
export function levelOf(told: number, used: number, quota: number): number {
  // Without a quota, everything is refused anyway.
  if (quota <= 0) return 0
  const percent = (used / quota) * 100
  return Math.max(
    LEVELS.find((level) => percent >= level) ?? 0,
    LEVELS.find((level) => told >= level && percent >= level - MARGIN) ?? 0,
  )
}
