import type { paths } from '@tidenet/contract/paths.gen'

/** Routes that the first page of a visit calls. The table of all routes is loaded on demand. */
export const firstPaths = {
  'portal.services': { method: 'GET', path: '/api/v1/portal/services', repeatable: true },
  'accounts.vipInfo': { method: 'GET', path: '/api/v1/storage/get_vip_info', repeatable: true },
  'network.map': { method: 'GET', path: '/api/v2/get_map_info', repeatable: true },
  'portal.settings': { method: 'GET', path: '/api/v1/portal/settings', repeatable: true },
  'explorer.figures': { method: 'GET', path: '/api/v1/network/figures', repeatable: true },
} as const satisfies Partial<typeof paths>
