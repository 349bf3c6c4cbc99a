import type { SecondFactor } from '@tidenet/contract'
import { create } from 'zustand'
import { ApiError } from '../../lib/api.ts'

/** A sign-in that waits for its second factor. */
export interface PendingSignIn {
  secondFactorToken: string
  methods: readonly SecondFactor[]
  /** 3 for a wallet, as stored in the session. */
  loginType: 0 | 3
}

/** Error number: a second factor is needed. */
const SECOND_FACTOR_NEEDED = 1029

/** The pending sign-in; in memory only, so a reload discards it. */
export const usePendingSignIn = create<{ pending: PendingSignIn | undefined }>()(() => ({ pending: undefined }))

/** If a sign-in failed only because it needs a second factor, stores it as pending, which shows the second step. @returns whether it did */
export function startSecondFactor(failure: unknown, loginType: 0 | 3 = 0): boolean {
  if (!(failure instanceof ApiError) || failure.err !== SECOND_FACTOR_NEEDED) return false
  const { ticket, ways } = failure.data as { ticket: string; ways: readonly SecondFactor[] }
  usePendingSignIn.setState({ pending: { secondFactorToken: ticket, methods: ways, loginType } })
  return true
}

export const clearPendingSignIn = (): void => usePendingSignIn.setState({ pending: undefined })
