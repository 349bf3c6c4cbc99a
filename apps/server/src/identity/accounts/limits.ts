import { FREE_DOWNLOAD_TRAFFIC, FREE_STORAGE, VIP_DOWNLOAD_TRAFFIC, VIP_STORAGE } from '@tidenet/contract'

/** Quotas of an account, in bytes: its own, or those of its plan. */
export function limitsOf(user: { vip: boolean; storage_quota: number | null; outflow_quota: number | null }): {
  storage: number
  downloadTraffic: number
} {
  return {
    storage: user.storage_quota ?? (user.vip ? VIP_STORAGE : FREE_STORAGE),
    downloadTraffic: user.outflow_quota ?? (user.vip ? VIP_DOWNLOAD_TRAFFIC : FREE_DOWNLOAD_TRAFFIC),
  }
}
