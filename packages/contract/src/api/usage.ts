import { z } from 'zod'
import { nothing } from '../fields.ts'
import { expects } from '../input-hints.ts'
import { seriesPoint } from '../objects.ts'
import { route } from '../route.ts'

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, expects('day'))

export const usage = {
  storageSize: route({
    method: 'GET',
    path: '/api/v1/storage/get_storage_size',
    auth: 'any',
    team: 'viewer',
    input: nothing,
    output: z.object({
      /** Largest measured rate of the account's transfers this month, bytes per second. */
      PeakBandwidth: z.number(),
      /** Quota of a month; `UsedTraffic` counts since `TrafficSince`. */
      TotalTraffic: z.number(),
      UsedTraffic: z.number(),
      /** The current month: of a VIP plan since it began, otherwise the calendar month (UTC). ISO 8601. */
      TrafficSince: z.string(),
      TrafficUntil: z.string(),
      TotalSize: z.number(),
      UsedSize: z.number(),
      /** Reserved for unfinished uploads, not part of `UsedSize`. */
      ReservedSize: z.number(),
      /** Of the trash and of earlier versions, which use only quota that nothing else needs; not part of `UsedSize`. */
      TrashSize: z.number(),
      VersionSize: z.number(),
      AssetCount: z.number(),
      FolderCount: z.number(),
    }),
    errors: [],
    summary: 'Returns storage quota and monthly download traffic of the account',
  }),
  hourly: route({
    method: 'GET',
    path: '/api/v1/storage/get_user_info_hour',
    auth: 'any',
    team: 'viewer',
    input: nothing,
    output: z.object({ series_data: z.array(seriesPoint) }),
    errors: [],
    summary: 'Returns usage by hour for the last 24 hours, oldest first, without gaps',
  }),
  daily: route({
    method: 'GET',
    path: '/api/v1/storage/get_user_info_daily',
    auth: 'any',
    team: 'viewer',
    input: z.object({
      user_id: z.string().max(254).optional(),
      from: day.optional(),
      to: day.optional(),
      days: z.coerce.number().int().min(1).max(90).optional(),
    }),
    output: z.object({ series_data: z.array(seriesPoint) }),
    errors: [],
    summary: 'Returns usage by UTC day from `from` to `to`, or for the last `days`, oldest first, without gaps',
  }),
}
