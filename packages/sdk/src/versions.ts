import type { Answer } from './api.ts'
import { type Core, settle } from './core.ts'
import type { Result } from './result.ts'

/** A file of the account. Camel-case and snake-case names are equivalent. */
export interface VersionedFile {
  assetCid?: string
  asset_cid?: string
  /** The id of the entry, if the account lists the content several times. */
  assetId?: number
  asset_id?: number
  page?: number
  pageSize?: number
  page_size?: number
}

export interface Versions {
  /** What files contained before they were replaced (`onConflict: 'replace'`). To download a version, use its CID. */
  versions: {
    /** The earlier versions of a file, the newest first. Codes: 1006 CID. */
    list(file: VersionedFile): Promise<Result<Answer<'versions.list'>>>
    /** Makes a version current, as a new version; what was current is kept as a version. Codes: 1006 id. */
    restore(id: number): Promise<Result<Answer<'versions.restore'>>>
    /** Deletes a version; for a day, `undelete` brings it back. Codes: 1006 id. */
    remove(id: number): Promise<Result<Answer<'versions.remove'>>>
    undelete(id: number): Promise<Result<Answer<'versions.undelete'>>>
  }
}

export function createVersions(core: Core): Versions {
  const { api, check, toFailure } = core
  const change = <N extends 'versions.restore' | 'versions.remove' | 'versions.undelete'>(name: N) => {
    return (id: number): Promise<Result<Answer<N>>> =>
      settle(core, async () =>
        Number.isSafeInteger(id) && id > 0 ? api.call(name, { id } as never) : toFailure('idMissing'),
      )
  }
  return {
    versions: {
      list: (file) =>
        settle(core, async () => {
          check.options(file, 'versions')
          const cid = file.assetCid ?? file.asset_cid
          const assetId = file.assetId ?? file.asset_id
          check.cid(cid)
          return api.call('versions.list', {
            cid: cid as string,
            ...(assetId !== undefined && { asset_id: assetId }),
            page: file.page ?? 1,
            page_size: file.pageSize ?? file.page_size ?? 100,
          })
        }),
      restore: change('versions.restore'),
      remove: change('versions.remove'),
      undelete: change('versions.undelete'),
    },
  }
}
