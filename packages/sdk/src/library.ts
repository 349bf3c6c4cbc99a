import type { Answer } from './api.ts'
import { type Core, settle } from './core.ts'
import type { OptionsName } from './options.ts'
import { isSuccess, type Result } from './result.ts'

type Page = { page?: number; pageSize?: number; page_size?: number }

export interface Library {
  /**
   * Creates a folder below `parent` (0 is the root). With `encrypted`, only encrypted files can be put into it. Data: `{ group }`.
   * Codes: 1005 name missing, 10011 parent invalid; the server's `data.err` 1001 name, 10018 parent unknown, 10019 too many folders.
   */
  createFolder(folder: {
    name: string
    parent?: number
    encrypted?: boolean
  }): Promise<Result<Answer<'folders.create'>>>
  /**
   * Contents of a folder: folders, then files, newest first. Data: `{ list: [{ AssetOverview, Group }], total }`; one of the two is null.
   * Codes: 10011 parent, 10012 page, 10013 page size.
   */
  listDirectoryContents(listing?: { parent?: number } & Page): Promise<Result<Answer<'folders.contents'>>>
  /** Renames a folder. Codes: 10014 nothing given, 10017 group id, 1005 name missing. */
  renameFolder(folder: {
    groupId?: number
    group_id?: number
    name?: string
    new_name?: string
  }): Promise<Result<{ msg: string }>>
  /** Renames a file. Codes: 10014 nothing given, 1006 CID missing, 1005 name missing. */
  renameAsset(asset: {
    assetCid?: string
    asset_cid?: string
    name?: string
    new_name?: string
  }): Promise<Result<{ msg: string }>>
  /**
   * Moves a folder with its contents to the trash, where it can be restored for 30 days. With `trash: false` deletes it permanently; with
   * `force: false` only if it is empty. Codes: 10017; `data.err` 10017 not empty.
   */
  deleteFolder(folder: {
    groupId?: number
    group_id?: number
    force?: boolean
    trash?: boolean
  }): Promise<Result<Answer<'folders.remove'>>>
  /**
   * Deletes a file permanently, or only its replicas in the given areas; `trash: true` moves it to the trash for 30 days. Codes: 1006,
   * 10016.
   */
  deleteAsset(asset: {
    assetCid?: string
    asset_cid?: string
    areaId?: string[]
    area_id?: string[]
    trash?: boolean
  }): Promise<Result<Answer<'assets.remove'>>>
  /** One file by CID or one folder by id. Data: `{ AssetOverview, Group, path }`. Codes: 1006 no id, 10026 not found. */
  getItemDetails(item: {
    cId?: string
    cid?: string
    groupId?: number
    group_id?: number
  }): Promise<Result<Answer<'folders.item'>>>
  /** Moves a file into a folder. */
  moveAsset(move: {
    assetCid?: string
    asset_cid?: string
    groupId?: number
    group_id?: number
  }): Promise<Result<{ msg: string }>>
  /** Moves a folder into another (0 is the root). */
  moveFolder(move: {
    groupId?: number
    group_id?: number
    targetGroupId?: number
    target_group_id?: number
  }): Promise<Result<{ msg: string }>>
}

export function createLibrary(core: Core): Library {
  const { api, check, toFailure } = core
  /** The fields to change; undefined if there are none. */
  const fields = <T extends object>(given: T | undefined, of: OptionsName): T | undefined => {
    if (given !== undefined) check.options(given, of)
    return given && Object.values(given).some((value) => value !== undefined) ? given : undefined
  }

  return {
    createFolder: (folder) =>
      settle(core, async () => {
        check.options(folder, 'createFolder')
        const { name, parent = 0, encrypted } = folder
        check.name(name)
        check.parent(parent)
        return api.call(
          'folders.create',
          { name, parent, ...(encrypted && { encrypted }) },
          { otherwise: 'groupCreate' },
        )
      }),
    listDirectoryContents: (listing = {}) =>
      settle(core, async () => {
        check.options(listing, 'list')
        const { parent = 0, page = 1 } = listing
        const pageSize = listing.pageSize ?? listing.page_size ?? 10
        check.parent(parent)
        check.page(page)
        check.pageSize(pageSize)
        return api.call('folders.contents', { parent, page, page_size: pageSize }, { otherwise: 'assetList' })
      }),
    renameFolder: (folder) =>
      settle(core, async () => {
        const given = fields(folder, 'renameFolder')
        if (!given) return toFailure('fieldsMissing')
        const groupId = given.groupId ?? given.group_id
        const name = given.name ?? given.new_name
        check.group(groupId, 1)
        check.name(name)
        return api.call('folders.rename', { group_id: groupId, new_name: name as string }, { otherwise: 'groupRename' })
      }),
    renameAsset: (asset) =>
      settle(core, async () => {
        const given = fields(asset, 'renameAsset')
        if (!given) return toFailure('fieldsMissing')
        const cid = given.assetCid ?? given.asset_cid
        const name = given.name ?? given.new_name
        check.cid(cid)
        check.name(name)
        return api.call(
          'folders.rename',
          { asset_cid: cid as string, new_name: name as string },
          { otherwise: 'assetRename' },
        )
      }),
    deleteFolder: (folder) =>
      settle(core, async () => {
        const given = fields(folder, 'deleteFolder')
        if (!given) return toFailure('fieldsMissing')
        const groupId = given.groupId ?? given.group_id
        check.group(groupId, 1)
        return api.call(
          'folders.remove',
          {
            group_id: groupId,
            ...(given.force !== undefined && { force: given.force }),
            ...(given.trash !== undefined && { trash: given.trash }),
          },
          { otherwise: 'groupRemove' },
        )
      }),
    deleteAsset: (asset) =>
      settle(core, async () => {
        const given = fields(asset, 'deleteAsset')
        if (!given) return toFailure('fieldsMissing')
        const cid = given.assetCid ?? given.asset_cid
        const areas = given.areaId ?? given.area_id
        check.cid(cid)
        check.areas(areas)
        return api.call(
          'assets.remove',
          {
            asset_cid: cid as string,
            ...(areas?.length && { area_id: areas }),
            ...(given.trash !== undefined && { trash: given.trash }),
          },
          { otherwise: 'assetRemove' },
        )
      }),
    getItemDetails: (item) =>
      settle(core, async () => {
        check.options(item, 'item')
        const cid = item.cId ?? item.cid
        const groupId = item.groupId ?? item.group_id
        check.itemId(cid, groupId)
        if (!cid) check.group(groupId, 1)
        return itemDetails(core, cid ? { cid } : { groupid: groupId as number })
      }),
    moveAsset: (move) =>
      settle(core, async () => {
        const given = fields(move, 'moveAsset')
        if (!given) return toFailure('fieldsMissing')
        const cid = given.assetCid ?? given.asset_cid
        const groupId = given.groupId ?? given.group_id
        check.cid(cid)
        check.group(groupId, 0)
        return api.call('assets.move', { asset_cid: cid as string, group_id: groupId })
      }),
    moveFolder: (move) =>
      settle(core, async () => {
        const given = fields(move, 'moveFolder')
        if (!given) return toFailure('fieldsMissing')
        const groupId = given.groupId ?? given.group_id
        const target = given.targetGroupId ?? given.target_group_id
        check.group(groupId, 1)
        check.group(target, 0)
        return api.call('folders.move', { group_id: groupId, target_group_id: target })
      }),
  }
}

/** A file or folder of the account; 10026 if the answer has neither. */
export async function itemDetails(
  core: Core,
  item: { cid: string } | { groupid: number },
): Promise<Result<Answer<'folders.item'>>> {
  const result = await core.api.call('folders.item', item, { otherwise: 'itemInfo' })
  if (isSuccess(result) && !result.data.AssetOverview && !result.data.Group) return core.toFailure('itemInfoFailed')
  return result
}
