import {
  CHAIN_FEE,
  CHUNK_SIZE,
  CREDITS_MAX,
  CREDITS_MIN,
  contract,
  DIRECTORY_SHARD_ABOVE,
  DOWNLOAD_ATTEMPTS_PER_URL,
  DOWNLOAD_CHUNK_MAX,
  DOWNLOAD_CONCURRENCY,
  DOWNLOAD_CONCURRENCY_MAX,
  DOWNLOAD_CONCURRENCY_MIN,
  DOWNLOAD_RANGE,
  DOWNLOAD_STALL_TIMEOUT,
  EXCHANGE_RATE,
  FIRST_BYTE_TIMEOUT,
  FOLDER_CONCURRENCY,
  FREE_DOWNLOAD_TRAFFIC,
  FREE_FILE_MAX,
  FREE_STORAGE,
  FREE_STORAGE_DAYS,
  GAS_PRICES,
  LINKS_PER_NODE,
  MD5_SLICE,
  NAME_MAX,
  ORDER_FILTERS,
  PAGE_SIZE,
  PAGE_SIZES,
  PASSWORD_MAX,
  PASSWORD_MIN,
  REPLICA_TARGET,
  RESOURCE_BOUNDS,
  type Route,
  SHARE_DOWNLOADS,
  SHARE_PERMANENT,
  SHORT_PASS,
  SPEECH_BYTES_MAX,
  STATISTIC_DAYS,
  TEMP_FILE_MAX,
  UPLOAD_BACKOFF,
  UPLOAD_RETRIES,
  UPLOAD_TIMEOUT_MIN,
  UPLOAD_TIMEOUT_PER_MB,
  UPLOAD_URL_WAIT,
  WALLET_MASK,
} from '@tidenet/contract'
import { AVAILABILITY_TIMEOUT, BLOCK_MAX, FEE_COIN_DECIMALS } from '@tidenet/contract/constants'
import { describe, expect, it } from 'vitest'
import { addressAt, addresses, isConsolePath } from '../../apps/web/src/addresses.ts'
import { texts as transcription } from '../../apps/web/src/features/transcription/texts.en.ts'

const MiB = 1024 * 1024

/** Numbers, routes and calls that the specification gives, literally. */

describe('the constant', () => {
  it.each<[string, unknown, unknown]>([
    ['storage of the free plan', FREE_STORAGE, 100 * MiB],
    ['download traffic of the free plan', FREE_DOWNLOAD_TRAFFIC, 1024 * MiB],
    ['largest upload of the free plan', FREE_FILE_MAX, 1024 * MiB],
    ['days of free storage', FREE_STORAGE_DAYS, 549],
    ['anonymous file', TEMP_FILE_MAX, 104_857_600],
    ['replicas', REPLICA_TARGET, 50],
    ['downloads of a shared file', SHARE_DOWNLOADS, 10],
    ['a permanent share', SHARE_PERMANENT, 4_101_509_461],
    ['statistic ranges', STATISTIC_DAYS, [1, 7, 30, 60, 90]],
    ['page size', PAGE_SIZE, 10],
    ['page sizes', PAGE_SIZES, [10, 20, 25, 50, 100]],
    ['shortest password', PASSWORD_MIN, 8],
    ['longest password', PASSWORD_MAX, 12],
    ['names of keys and groups', NAME_MAX, 50],
    ['cores', RESOURCE_BOUNDS.cpu, { min: 1, max: 32, step: 1 }],
    ['memory', RESOURCE_BOUNDS.ram, { min: 1, max: 64, step: 1 }],
    ['disk', RESOURCE_BOUNDS.storage, { min: 40, max: 4000, step: 10 }],
    ['hours', RESOURCE_BOUNDS.duration, { min: 1, max: 720, step: 1 }],
    ['all orders', ORDER_FILTERS.all, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['running orders', ORDER_FILTERS.running, [2, 6, 7, 8]],
    ['expired orders', ORDER_FILTERS.expired, [3]],
    ['terminated orders', ORDER_FILTERS.terminated, [9]],
    ['chain fee', CHAIN_FEE, { amount: '500', gas: '990000' }],
    ['gas prices', GAS_PRICES, { low: 0.005, average: 0.025, high: 0.03 }],
    ['decimals of the fee coin', FEE_COIN_DECIMALS, 6],
    ['minimum credits', CREDITS_MIN, 100],
    ['maximum credits', CREDITS_MAX, 10_000_000],
    ['exchange rate', EXCHANGE_RATE, { usdPerTnt4: 508, creditsPerUsd: 400, discount: 25 }],
    ['audio', SPEECH_BYTES_MAX, 50 * MiB],
    ['slice of the MD5', MD5_SLICE, 20 * MiB],
    ['download chunk', DOWNLOAD_CHUNK_MAX, 10 * MiB],
    ['range of a download', DOWNLOAD_RANGE, MiB],
    ['concurrent chunks', [DOWNLOAD_CONCURRENCY_MIN, DOWNLOAD_CONCURRENCY, DOWNLOAD_CONCURRENCY_MAX], [1, 10, 20]],
    ['concurrent requests in a folder', FOLDER_CONCURRENCY, 3],
    ['chunk timeout', DOWNLOAD_STALL_TIMEOUT, 5000],
    ['availability check', AVAILABILITY_TIMEOUT, 1000],
    ['first-byte probe', FIRST_BYTE_TIMEOUT, 2500],
    ['attempts per URL', DOWNLOAD_ATTEMPTS_PER_URL, 3],
    ['upload retries', UPLOAD_RETRIES, 3],
    ['upload back-off', UPLOAD_BACKOFF, 1000],
    ['upload timeout per MB', UPLOAD_TIMEOUT_PER_MB, 10_000],
    ['minimum upload timeout', UPLOAD_TIMEOUT_MIN, 30_000],
    ['wait for the URL of an upload', UPLOAD_URL_WAIT, 2000],
    ['mask of a wallet', WALLET_MASK, { head: 4, tail: 1 }],
    ['file chunk', CHUNK_SIZE, 262_144],
    ['links of a tree node', LINKS_PER_NODE, 174],
    ['entries before sharding', DIRECTORY_SHARD_ABOVE, 1000],
    ['block', BLOCK_MAX, 1_048_576],
  ])('%s', (_, number, given) => expect(number).toEqual(given))

  it('access passwords are six letters or digits', () => {
    expect('aB3dE6').toMatch(SHORT_PASS)
    for (const wrong of ['aB3dE', 'aB3dE67', 'aB3d-6', '']) expect(wrong).not.toMatch(SHORT_PASS)
  })

  it('transcription offers ten languages', () => {
    const names = ['Chinese', 'Traditional Chinese', 'English', 'Spanish', 'French', 'German', 'Portuguese']
    expect(Object.values(transcription.language.names)).toEqual([...names, 'Italian', 'Japanese', 'Korean'])
  })
})

describe('a route of the portal', () => {
  const publicRoutes =
    '/ /blockchain /learn /learndetail /services /tc2 /tss /pcdn /aidata /aiproxy /about /signup /login /download /whisper /morelog ' +
    '/privacy-policy /introduction /redirect /Upload /newUpload /preview /storagenetwork /developer /distribution /group ' +
    '/distributionstatus /share /td-distributionstatus /homeupload /groupPreview /exchangePnuts /ecology /ext_download'
  it.each(publicRoutes.split(' '))('%s is public', (path) => {
    const name = addressAt(path)
    expect(name && addresses[name].path).toBe(path)
    expect(isConsolePath(path)).toBe(false)
  })

  const accountRoutes = '/dashboard /testCoin /mycenter /upload /fileStorage /myAccount /myPCDN /key /center'
  it.each(accountRoutes.split(' '))('%s needs an account', (path) => {
    const name = addressAt(path)
    expect(name && addresses[name].path).toBe(path)
    expect(isConsolePath(path)).toBe(true)
  })
})

describe('a call of the API', () => {
  const calls = `
    GET /api/v2/get_online_device
    GET /api/v1/storage/get_vip_info
    GET /api/v1/platform/bind_nonce
    POST /api/v1/platform/bind_keplr
    GET /api/v1/ecology/wallet_code
    POST /api/v1/ecology/bind_wallet
    GET /api/v1/platform/bind_info
    GET /api/v1/platform/user/info
    POST /api/v1/platform/user/reset_kub_pwd
    GET /api/v1/platform/user/distributed
    POST /api/v1/platform/user/receive
    GET /api/v1/platform/user/receive_history
    GET /api/v1/platform/user/balance
    GET /api/v1/platform/order/price
    POST /api/v1/platform/order/create
    POST /api/v1/platform/order/upgrade
    POST /api/v1/platform/order/hash
    POST /api/v1/platform/order/renewal
    GET /api/v1/platform/order/refund
    POST /api/v1/platform/order/terminate
    GET /api/v1/platform/order/history
    GET /api/v1/platform/kub_url
    GET /api/v1/storage/get_upload_info
    GET /api/v1/storage/temp_file/get_upload_file
    GET /api/v1/storage/temp_file/download/:cid
    GET /api/v1/storage/open_asset
    GET /api/v1/storage/share_asset
    GET /api/v1/storage/get_asset_group_info
    GET /api/v1/storage/get_area_id
    GET /api/v1/storage/create_group
    GET /api/v1/storage/get_asset_group_list
    GET /api/v1/storage/delete_group
    GET /api/v1/storage/delete_asset
    GET /api/v1/storage/get_storage_size
    GET /api/v1/storage/get_asset_count
    GET /api/v1/storage/create_link
    GET /api/v1/storage/share_status_set
    GET /api/v1/storage/share_link_info
    POST /api/v1/storage/create_asset
    POST /api/v1/storage/temp_file/upload
    POST /api/v1/storage/rename_group
    POST /api/v1/storage/transfer/report
    POST /api/v1/storage/share_link_update`
  const routes = Object.values(contract).flatMap((group) => Object.values(group as Record<string, Route>))
  const served = new Set(
    routes.flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((each) => `${method} ${each}`)),
  )
  it.each(calls.trim().split(/\n\s*/))('%s is served', (call) => expect(served).toContain(call))
})
