/** Cores of `2`, `500m`, `1500000n`; 0 if invalid. */
export function coresOf(text: string | undefined): number {
  const [, digits, unit] = /^([\d.]+)([numk]?)$/.exec(text ?? '') ?? []
  return Number(digits ?? 0) * ({ n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, '': 1 }[unit ?? ''] ?? 0)
}

const POWERS = ['', 'K', 'M', 'G', 'T', 'P', 'E']

/** Bytes of `1024`, `64Mi`, `1G`, `100m` (thousandths); 0 if invalid. */
export function bytesOf(text: string | undefined): number {
  const [, digits, unit = ''] = /^([\d.]+(?:e\d+)?)([kKMGTPE]i?|m)?$/.exec(text ?? '') ?? []
  if (digits === undefined) return 0
  if (unit === 'm') return Number(digits) / 1000
  const power = POWERS.indexOf(unit.charAt(0).toUpperCase())
  return Number(digits) * (unit.endsWith('i') ? 1024 : 1000) ** Math.max(0, power)
}
