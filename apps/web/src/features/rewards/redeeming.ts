/** What is wrong with a number of points that somebody typed. `whole`: it is none; `min`: too few at once; `more`: more than are left. */
export type RedeemProblem = 'whole' | 'min' | 'more'

/** Points as somebody typed them; undefined for what is no whole number above 0. */
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
