import { BLOCK_CATEGORIES } from '@tidenet/contract'
import { isEmail } from '../feedback/lead-checks.ts'

/** The server's limits, so that the form can name problems before it sends. */
export const TARGET_MAX = 2000
export const TEXT_MAX = 4000

export interface Report {
  target: string
  /** A category, or empty. */
  category: string
  text: string
  email: string
}
export type ReportField = keyof Report
export type ReportProblem = 'target' | 'category' | 'words' | 'wordsLong' | 'email'

/** A link, or something as long as a CID; the server reads it. */
const isTarget = (text: string): boolean =>
  text.length <= TARGET_MAX && (/^(https?|ipfs):\/\/\S/i.test(text) || /^\w{46,}$/.test(text))

/** Problems of a report, by field in the order of the form. */
export function reportProblems({ target, category, text, email }: Report): Partial<Record<ReportField, ReportProblem>> {
  const words = text.trim()
  const address = email.trim()
  return {
    ...(!isTarget(target.trim()) && { target: 'target' as const }),
    ...(!BLOCK_CATEGORIES.some((each) => each === category) && { category: 'category' as const }),
    ...(words === '' ? { text: 'words' as const } : words.length > TEXT_MAX && { text: 'wordsLong' as const }),
    ...(address !== '' && !isEmail(address) && { email: 'email' as const }),
  }
}
