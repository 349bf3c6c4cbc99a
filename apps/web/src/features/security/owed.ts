import type { SecondFactor } from '@tidenet/contract'
import { create } from 'zustand'
import { ApiError } from '../../lib/api.ts'

/** A sign-in whose first factor was right. */
export interface Owed {
  ticket: string
  ways: readonly SecondFactor[]
  /** 3 for a wallet, as the session remembers it. */
  loginType: 0 | 3
}

/** The number of the refusal that asks for more. */
const SECOND_FACTOR_NEEDED = 1029

/** The sign-in that owes its second factor; kept by the page alone, a reload forgets it. */
export const useOwed = create<{ owed: Owed | undefined }>()(() => ({ owed: undefined }))

/** Whether a failed sign-in only asks for the second factor; then the sign-in page goes on with that. */
export function noteOwed(failure: unknown, loginType: 0 | 3 = 0): boolean {
  if (!(failure instanceof ApiError) || failure.err !== SECOND_FACTOR_NEEDED) return false
  const { ticket, ways } = failure.data as Pick<Owed, 'ticket' | 'ways'>
  useOwed.setState({ owed: { ticket, ways, loginType } })
  return true
}

export const forgetOwed = (): void => useOwed.setState({ owed: undefined })
