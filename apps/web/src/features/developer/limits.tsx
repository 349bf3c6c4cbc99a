import {
  CHUNK_SIZE,
  DIRECTORY_SHARD_ABOVE,
  DOWNLOAD_CONCURRENCY,
  FREE_API_KEYS,
  FREE_DOWNLOAD_TRAFFIC,
  FREE_FOLDERS,
  FREE_STORAGE,
  FREE_STORAGE_DAYS,
  LINKS_PER_NODE,
  NODE_FILE_MAX,
  PAGE_SIZE,
  PAGE_SIZE_MAX,
  REPLICA_TARGET,
  SESSION_CHAIN,
  SHARE_DOWNLOADS,
  TEMP_FILE_DOWNLOADS,
  TEMP_FILE_LIFE,
  TEMP_FILE_MAX,
  TEMP_FILE_PREVIEWS,
  UPLOAD_RETRIES,
  VIP_API_KEYS,
  VIP_FOLDERS,
  VIP_STORAGE,
} from '@tidenet/contract/constants'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { t } from './texts.ts'

const DAY = 24 * 3600 * 1000

const rows = (): [keyof typeof t.limits, string][] => [
  ['freeStorage', formatSize(FREE_STORAGE)],
  ['freeOutflow', formatSize(FREE_DOWNLOAD_TRAFFIC)],
  ['vipStorage', formatSize(VIP_STORAGE)],
  ['kept', formatDuration(FREE_STORAGE_DAYS * DAY)],
  ['tempFile', formatSize(TEMP_FILE_MAX)],
  ['tempLife', formatDuration(TEMP_FILE_LIFE)],
  ['tempDownloads', t.times(TEMP_FILE_DOWNLOADS)],
  ['tempPreviews', t.times(TEMP_FILE_PREVIEWS)],
  ['shareVisits', t.times(SHARE_DOWNLOADS)],
  ['replicas', t.copies(REPLICA_TARGET)],
  ['keys', t.pair(formatNumber(FREE_API_KEYS), formatNumber(VIP_API_KEYS))],
  ['folders', t.pair(formatNumber(FREE_FOLDERS), formatNumber(VIP_FOLDERS))],
  ['page', t.pair(formatNumber(PAGE_SIZE), formatNumber(PAGE_SIZE_MAX))],
  ['chunk', formatSize(CHUNK_SIZE)],
  ['links', formatNumber(LINKS_PER_NODE)],
  ['shard', formatNumber(DIRECTORY_SHARD_ABOVE)],
  ['nodeFile', formatSize(NODE_FILE_MAX)],
  ['concurrency', formatNumber(DOWNLOAD_CONCURRENCY)],
  ['retries', t.times(UPLOAD_RETRIES)],
  ['session', formatDuration(SESSION_CHAIN)],
]

/** Quotas and limits. */
export function Limits() {
  return (
    <dl className="grid gap-x-10 text-sm md:grid-cols-2">
      {rows().map(([name, value]) => (
        <div key={name} className="flex items-baseline justify-between gap-6 border-b border-line py-2.5">
          <dt className="text-muted">{t.limits[name]}</dt>
          <dd className="font-mono whitespace-nowrap tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
