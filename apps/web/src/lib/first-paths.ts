import type { paths } from '@tidenet/contract/paths.gen'

/** What the first page of a visit asks for. The table of all operations is fetched with what asks for more. */
export const firstPaths = {
  'accounts.vipInfo': { method: 'GET', path: '/api/v1/storage/get_vip_info' },
  'network.map': { method: 'GET', path: '/api/v2/get_map_info' },
  'portal.settings': { method: 'GET', path: '/api/v1/portal/settings' },
  'explorer.figures': { method: 'GET', path: '/api/v1/network/figures' },
} as const satisfies Partial<typeof paths>
