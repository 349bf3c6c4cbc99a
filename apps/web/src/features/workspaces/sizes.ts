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
export function sayPart(part: Part, amount: number): string {
  if (part === 'cpu') return t.quota.cores(amount, formatNumber(amount, 1))
  return formatSize(amount * (part === 'memory' ? MiB : GiB))
}

export const saySize = (size: Size): string => PARTS.map((part) => sayPart(part, size[part])).join(' · ')

/** The least of each that a program can have, as the server takes it. */
export const LEAST: Size = { cpu: 0.1, memory: 32, storage: 1 }
export const STEP: Size = { cpu: 0.1, memory: 32, storage: 1 }

/** What can be given of what is left: in steps, so that no rest of a division offers what is not there. */
export const floored = (part: Part, left: number): number =>
  part === 'cpu' ? Math.floor(left * 10 + 1e-6) / 10 : Math.floor(left)

/** Whether anything at all can be deployed into what is left. */
export const hasRoom = (free: Size): boolean => PARTS.every((part) => floored(part, free[part]) >= LEAST[part])

/** What of a wanted share is wrong: too little, too much, no number. */
export function partProblem(
  part: Part,
  text: string,
  left: number,
  least: number = LEAST[part],
): 'few' | 'many' | undefined {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < least - 1e-9) return 'few'
  return value > floored(part, left) + 1e-9 ? 'many' : undefined
}
