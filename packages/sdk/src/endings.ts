import type { Answer } from './api.ts'
import { type Core, settle } from './core.ts'
import type { Result } from './result.ts'

/** Camel-case and snake-case names are equivalent. */
export interface EndingFiles {
  /** Files that are deleted within this many days; 30 by default. */
  days?: number
  page?: number
  pageSize?: number
  page_size?: number
}

export interface Endings {
  /** Files that are deleted soon. */
  endings: {
    list(options?: EndingFiles): Promise<Result<Answer<'assets.ending'>>>
    /** Keeps files that end within 30 days as long as new ones: those with these ids (`asset_id`), or all. Codes: 1006 ids. */
    extend(assetIds?: readonly number[]): Promise<Result<Answer<'assets.extend'>>>
  }
}

export function createEndings(core: Core): Endings {
  const { api, check, toFailure } = core
  return {
    endings: {
      list: (options = {}) =>
        settle(core, async () => {
          check.options(options, 'endings')
          const { days, page = 1, pageSize, page_size } = options
          return api.call('assets.ending', {
            ...(days !== undefined && { days }),
            page,
            page_size: pageSize ?? page_size ?? 100,
          })
        }),
      extend: (assetIds) =>
        settle(core, async () =>
          assetIds && !(assetIds.length > 0 && assetIds.every((id) => Number.isSafeInteger(id) && id > 0))
            ? toFailure('idMissing')
            : api.call('assets.extend', assetIds ? { asset_ids: [...assetIds] } : {}),
        ),
    },
  }
}
