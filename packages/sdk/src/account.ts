import type { TraceDetail, TraceState } from '@tidenet/contract'
import type { Answer } from './api.ts'
import { type Core, settle } from './core.ts'
import { isSuccess, type Result, success } from './result.ts'

/** Storage quota, VIP info and asset count. */
export type UserProfile = Answer<'usage.storageSize'> & Answer<'accounts.vipInfo'> & Answer<'assets.count'>

export type KeyPermission =
  | 'readFile'
  | 'createFile'
  | 'deleteFile'
  | 'readFolder'
  | 'createFolder'
  | 'deleteFolder'
  | 'readDevices'

/** A transfer made without this SDK. Times in unix ms, sizes in bytes, `rate` in bytes per second. */
export interface TransferReport {
  trace_id: string
  cid?: string
  node_id?: string
  rate?: number
  cost_ms?: number
  total_size?: number
  /** 1 success, 2 failure. */
  state: TraceState
  transfer_type: 'upload' | 'download'
  log?: string
  available_bandwidth?: number
  first_byte_time?: number
  details?: TraceDetail[]
}

/** Limits of an API key. */
export interface KeyLimits {
  /** When it expires; an empty text: never. */
  expires?: Date | string
  /** Addresses and ranges from which it can be used, such as `203.0.113.0/24`; empty: any. */
  ips?: string[]
  /** Ids of the folders that it is limited to, with all below them; empty: not limited. */
  folders?: number[]
}

const termsOfKey = ({
  type,
  perms,
  expires,
  ips,
  folders,
}: { type?: 'admin' | 'normal'; perms?: KeyPermission[] } & KeyLimits) => ({
  ...(type && { type }),
  ...(perms && { perms }),
  ...(expires !== undefined && { expires_at: expires instanceof Date ? expires.toISOString() : expires }),
  ...(ips && { ips }),
  ...(folders && { folders }),
})

export interface Account {
  /** Areas with online nodes; with `cid` only areas that hold it. Data: `{ list, area_maps: [{ key, value }] }`. */
  listRegions(filter?: { cid?: string; userId?: string; user_id?: string }): Promise<Result<Answer<'uploads.areas'>>>
  /** Quota, owner of the token, VIP info and asset count. */
  getUserProfile(): Promise<Result<UserProfile>>
  /** Traffic and storage of the last 24 hours by hour, or by day. Data: `{ series_data }`, oldest first. */
  usage(span?: { hourly: true } | { days?: number; from?: string; to?: string }): Promise<Result<Answer<'usage.daily'>>>
  /** Creates an API key. The secret is returned only once. Codes: 1005. Requires a session; API keys are refused. */
  createKey(
    key: {
      name: string
      type?: 'admin' | 'normal'
      perms?: KeyPermission[]
    } & KeyLimits,
  ): Promise<Result<Answer<'apiKeys.create'>>>
  listKeys(): Promise<Result<Answer<'apiKeys.list'>>>
  /** Changes name, permissions and limits of an API key; absent ones stay, an empty list or text removes the limit. */
  changeKey(
    key: {
      name: string
      newName?: string
      type?: 'admin' | 'normal'
      perms?: KeyPermission[]
      endFormer?: boolean
    } & KeyLimits,
  ): Promise<Result<Answer<'apiKeys.change'>>>
  /** Replaces an API key. The replaced one works for `overlapHours` more, at most 168; the default is 24. */
  rotateKey(key: { name: string; overlapHours?: number }): Promise<Result<Answer<'apiKeys.rotate'>>>
  /** Deletes an API key by name. */
  deleteKey(key: { name: string }): Promise<Result<{ msg: string }>>
  /** Restores the API key of this name that was deleted last, within seven days; it works again with its secret. */
  restoreKey(key: { name: string }): Promise<Result<{ msg: string }>>
  /** Reports a transfer that was made without this SDK. Code 10023 if the report fails. */
  reports(report: TransferReport): Promise<Result<{ trace_id: string }>>
}

export function createAccount(core: Core): Account {
  const { api, check, toFailure } = core
  return {
    listRegions: (filter = {}) =>
      settle(core, async () => {
        check.options(filter, 'regions')
        const userId = filter.userId ?? filter.user_id
        return api.call(
          'uploads.areas',
          { ...(filter.cid && { cid: filter.cid }), ...(userId && { user_id: userId }) },
          { otherwise: 'areas' },
        )
      }),
    getUserProfile: () =>
      settle(core, async () => {
        const options = { otherwise: 'profile' } as const
        const [size, vip, count] = await Promise.all([
          api.call('usage.storageSize', {}, options),
          api.call('accounts.vipInfo', {}, options),
          api.call('assets.count', {}, options),
        ])
        if (!isSuccess(size)) return size
        if (!isSuccess(vip)) return vip
        if (!isSuccess(count)) return count
        return success({ ...size.data, ...vip.data, ...count.data }, api.lang)
      }),
    usage: (span = {}) =>
      settle(core, async () => {
        check.options(span, 'usage')
        if ('hourly' in span) return api.call('usage.hourly', {})
        const { days, from, to } = span
        return api.call('usage.daily', {
          ...(days !== undefined && { days }),
          ...(from && { from }),
          ...(to && { to }),
        })
      }),
    createKey: (key) =>
      settle(core, async () => {
        check.options(key, 'createKey')
        check.name(key.name)
        return api.call('apiKeys.create', { key_name: key.name, ...termsOfKey(key) })
      }),
    listKeys: () => settle(core, () => api.call('apiKeys.list', {})),
    changeKey: (key) =>
      settle(core, async () => {
        check.options(key, 'changeKey')
        check.name(key.name)
        const { newName, endFormer } = key
        if (newName !== undefined) check.name(newName)
        return api.call('apiKeys.change', {
          key_name: key.name,
          ...(newName !== undefined && { new_name: newName }),
          ...termsOfKey(key),
          ...(endFormer !== undefined && { end_former: endFormer }),
        })
      }),
    rotateKey: (key) =>
      settle(core, async () => {
        check.options(key, 'rotateKey')
        check.name(key.name)
        const { name, overlapHours } = key
        return api.call('apiKeys.rotate', {
          key_name: name,
          ...(overlapHours !== undefined && { overlap_hours: overlapHours }),
        })
      }),
    deleteKey: (key) =>
      settle(core, async () => {
        check.options(key, 'deleteKey')
        check.name(key.name)
        return api.call('apiKeys.remove', { key_name: key.name })
      }),
    restoreKey: (key) =>
      settle(core, async () => {
        check.options(key, 'restoreKey')
        check.name(key.name)
        return api.call('apiKeys.restore', { key_name: key.name })
      }),
    reports: (report) =>
      settle(core, async () => {
        check.options(report, 'report')
        for (const detail of report.details ?? []) check.options(detail, 'reportDetail', 'details.')
        const result = await api.call('traces.report', report)
        return isSuccess(result) ? result : toFailure('reportError', { data: result.data })
      }),
  }
}
