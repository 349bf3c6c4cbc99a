/** Round axis maxima whose halves are round, too. */
const STEPS = [1, 2, 4, 5, 10, 20, 40, 50, 100, 200, 400, 500, 1000] as const

/**
 * The maximum of a chart's axis: the next round value; 0 if there is nothing to show.
 * @param unit 1024 for bytes, which gives round KiB, MiB and so on; 1000 for counts, which gives even numbers
 */
export function axisMax(highest: number, unit: 1000 | 1024): number {
  if (!(highest > 0)) return 0
  let size = 1
  while (highest > size * 1000) size *= unit
  const step = STEPS.find((each) => highest <= each * size) ?? unit
  const top = step * size
  return unit === 1000 && top % 2 === 1 ? top + 1 : top
}
