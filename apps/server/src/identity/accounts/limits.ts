import { FREE_DOWNLOAD_TRAFFIC, FREE_STORAGE, VIP_DOWNLOAD_TRAFFIC, VIP_STORAGE } from '@tidenet/contract'

/** Quotas of an account, in bytes: its own, or those of its plan. */
type Plan = { vip: boolean; storage_quota: number | null; outflow_quota: number | null }

/** Bytes of the quota that neither files nor announced uploads use; negative if there are more than it has. */
export const freeStorageOf = (account: Plan & { used_bytes: number; reserved_bytes: number }): number =>
  limitsOf(account).storage - account.used_bytes - account.reserved_bytes

export function limitsOf(user: Plan): {
  storage: number
  downloadTraffic: number
} {
  return {
    storage: user.storage_quota ?? (user.vip ? VIP_STORAGE : FREE_STORAGE),
    downloadTraffic: user.outflow_quota ?? (user.vip ? VIP_DOWNLOAD_TRAFFIC : FREE_DOWNLOAD_TRAFFIC),
  }
}
