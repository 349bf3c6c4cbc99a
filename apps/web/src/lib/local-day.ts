/** The start of a day `2026-01-31` in local time, as an ISO timestamp; `plus` days later. */
export function startOfDay(text: string | undefined, plus = 0): string | undefined {
  const [year, month, day] =
    /^(\d{4})-(\d\d)-(\d\d)$/
      .exec(text ?? '')
      ?.slice(1)
      .map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const date = new Date(year, month - 1, day + plus)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
