import { formatNumber, formatSize } from '../../lib/format.ts'
import { t } from './texts.ts'

/** Cores, MiB, GiB. */
export interface Size {
  cpu: number
  memory: number
  storage: number
}
export type Part = keyof Size
export const PARTS: readonly Part[] = ['cpu', 'memory', 'storage']

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** `0.5 cores`, `512 MiB`, `10 GiB` */
export function formatPart(part: Part, amount: number): string {
  if (part === 'cpu') return t.quota.cores(amount, formatNumber(amount, 1))
  return formatSize(amount * (part === 'memory' ? MiB : GiB))
}

export const formatSizes = (size: Size): string => PARTS.map((part) => formatPart(part, size[part])).join(' · ')

/** Minimum of each resource, as validated by the server. */
export const LEAST: Size = { cpu: 0.1, memory: 32, storage: 1 }
export const STEP: Size = { cpu: 0.1, memory: 32, storage: 1 }

/** Rounds the available amount down to steps, so that rounding never offers more than there is. */
export const floorToStep = (part: Part, left: number): number =>
  part === 'cpu' ? Math.floor(left * 10 + 1e-6) / 10 : Math.floor(left)

/** Whether the smallest program fits. */
export const hasFreeResources = (free: Size): boolean =>
  PARTS.every((part) => floorToStep(part, free[part]) >= LEAST[part])

/** Problem of an entered value: `few` if too small or not a number, `many` if too large. */
export function partProblem(
  part: Part,
  text: string,
  left: number,
  least: number = LEAST[part],
): 'few' | 'many' | undefined {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < least - 1e-9) return 'few'
  return value > floorToStep(part, left) + 1e-9 ? 'many' : undefined
}
