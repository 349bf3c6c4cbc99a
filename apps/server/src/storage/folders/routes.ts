import { successMessage } from '../../platform/http/messages.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { listContents, listFolders } from '../tree/listing.ts'
import { manifest, moveMany } from './batch.ts'
import { browse, findNames, isBrowsing, listKeyFolders, search } from './browse.ts'
import { createFolder, encryptFolder, findItem, moveFolder, removeFolder, renameItem } from './service.ts'

export function serveFolders(serving: ServerServing, context: Context): void {
  serveModule(serving, 'folders', {
    create: async (input, { caller }) => ({ group: await createFolder(context, caller, input) }),
    encrypt: async ({ group_id }, { caller }) => ({ group: await encryptFolder(context, caller, group_id) }),
    list: async (input, { caller }) => {
      if (caller.folders && input.parent === 0) {
        const list = await listKeyFolders(context, caller)
        return { list, total: list.length }
      }
      return listFolders(context, caller, input.parent, input)
    },
    contents: async (input, { caller, lang }) => {
      if (caller.folders && input.parent === 0) {
        const { cid, groupid } = input
        const all = cid !== undefined && groupid === undefined ? [] : await listKeyFolders(context, caller)
        const found = all.filter(({ ID }) => groupid === undefined || ID === groupid)
        const list = found.map((Group) => ({ AssetOverview: null, Group }))
        return { list, total: list.length }
      }
      return isBrowsing(input)
        ? browse(context, caller, lang, input)
        : listContents(context, caller, lang, input.parent, input)
    },
    search: (input, { caller, lang }) => search(context, caller, lang, input),
    findNames: (input, { caller }) => findNames(context, caller, input),
    moveMany: async (input, { caller, lang }) => ({ results: await moveMany(context, caller, lang, input) }),
    manifest: (input, { caller }) => manifest(context, caller, input),
    item: (input, { caller, lang }) => findItem(context, caller, lang, input),
    rename: async (input, { caller, lang }) => {
      await renameItem(context, caller, input)
      return successMessage(lang)
    },
    remove: async (input, { caller, lang, ip }) => ({
      ...successMessage(lang),
      ...(await removeFolder(context, caller, input, { ip })),
    }),
    move: async (input, { caller, lang }) => {
      await moveFolder(context, caller, input)
      return successMessage(lang)
    },
  })
}
