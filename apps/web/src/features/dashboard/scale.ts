/** Heights that read well, of which the half reads well, too. */
const STEPS = [1, 2, 4, 5, 10, 20, 40, 50, 100, 200, 400, 500, 1000] as const

/**
 * Where the axis of a chart ends: the next round value from the highest on.
 * @param unit 1024 for bytes, so that the end is round in KiB, MiB and so on; 1000 for counts, of which there are no halves
 */
export function topOf(highest: number, unit: 1000 | 1024): number {
  if (!(highest > 0)) return 0
  let size = 1
  while (highest > size * 1000) size *= unit
  const step = STEPS.find((each) => highest <= each * size) ?? unit
  const top = step * size
  return unit === 1000 && top % 2 === 1 ? top + 1 : top
}
