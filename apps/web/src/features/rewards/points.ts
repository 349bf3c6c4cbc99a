/** Problem of an entered number of points. `whole`: not a positive whole number; `min`: below the minimum; `more`: more than available. */
export type RedeemProblem = 'whole' | 'min' | 'more'

/** Parses entered points; undefined unless a positive whole number. */
export function pointsIn(text: string): number | undefined {
  const plain = text.trim().replaceAll(',', '')
  return /^\d{1,15}$/.test(plain) && Number(plain) > 0 ? Number(plain) : undefined
}

export function problemOf(text: string, { min, left }: { min: number; left: number }): RedeemProblem | undefined {
  const points = pointsIn(text)
  if (points === undefined) return 'whole'
  if (points < min) return 'min'
  return points > left ? 'more' : undefined
}
