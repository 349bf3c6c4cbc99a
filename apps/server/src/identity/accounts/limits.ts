import { FREE_OUTFLOW, FREE_STORAGE, VIP_OUTFLOW, VIP_STORAGE } from '@tidenet/contract'

/** What an account may store, and send in a month, in bytes: its own figures, or those of its plan. */
export function limitsOf(user: { vip: boolean; storage_quota: number | null; outflow_quota: number | null }): {
  storage: number
  outflow: number
} {
  return {
    storage: user.storage_quota ?? (user.vip ? VIP_STORAGE : FREE_STORAGE),
    outflow: user.outflow_quota ?? (user.vip ? VIP_OUTFLOW : FREE_OUTFLOW),
  }
}
