import { fromBase64, toBase64 } from '@cosmjs/encoding'
import type { Result } from './state/app.ts'

/** A result as JSON. */
export interface WrittenResult extends Omit<Result, 'data' | 'gasWanted' | 'gasUsed'> {
  /** Base64. */
  data: string
  gasWanted: string
  gasUsed: string
}

export const textOfResult = ({ data, gasWanted, gasUsed, ...result }: Result): WrittenResult => ({
  ...result,
  data: toBase64(data),
  gasWanted: String(gasWanted),
  gasUsed: String(gasUsed),
})

export const resultOfText = ({ data, gasWanted, gasUsed, ...result }: WrittenResult): Result => ({
  ...result,
  data: fromBase64(data),
  gasWanted: BigInt(gasWanted),
  gasUsed: BigInt(gasUsed),
})
