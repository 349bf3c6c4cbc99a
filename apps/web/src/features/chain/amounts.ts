/** Formats an amount of base units as whole coins, exact at any size: `1,234.5`. Invalid amounts are returned unchanged. */
export function formatCoins({ units, decimals }: { units: string; decimals: number }, locale: string): string {
  if (!/^\d{1,80}$/.test(units)) return units
  const digits = units.padStart(decimals + 1, '0')
  const whole = BigInt(digits.slice(0, digits.length - decimals)).toLocaleString(locale)
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return part === '' ? whole : `${whole}.${part}`
}
