import { createCache } from '../../platform/cache.ts'
import { deletedMessage, successMessage } from '../../platform/http/messages.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import { readKey } from '../assets/key.ts'
import type { Context } from '../context.ts'
import { renameFile } from '../folders/service.ts'
import { extendFiles, listEnding } from './endings.ts'
import * as info from './info.ts'
import { replicaCheck, replicaCheckFailed, replicas } from './replicas.ts'
import { createAsset, moveAsset, removeAsset } from './service.ts'

export function serveAssets(serving: ServerServing, context: Context): void {
  // `count` and `areas` read every replica of an account, and dashboards poll them.
  const cached = createCache(context)
  serveModule(serving, 'assets', {
    create: (input, { caller, ip }) => createAsset(context, caller, input, ip),
    rename: async ({ asset_cid, asset_id, new_name }, { caller, lang }) => {
      await renameFile(context, caller, readKey(asset_cid, asset_id), new_name)
      return successMessage(lang)
    },
    move: async ({ asset_cid, asset_id, group_id }, { caller, lang }) => {
      await moveAsset(context, caller, readKey(asset_cid, asset_id), group_id)
      return successMessage(lang)
    },
    remove: async ({ asset_cid, asset_id, area_id, trash }, { caller, lang, ip }) => {
      const key = readKey(asset_cid, asset_id)
      const { complete } = await removeAsset(context, caller, key, area_id, { ip }, trash)
      return deletedMessage(lang, complete)
    },
    list: (input, { caller, lang }) => info.list(context, caller, input, lang),
    count: (_, { caller }) => cached(['count', caller.userId], () => info.count(context, caller)),
    areas: (_, { caller, lang }) => cached(['areas', caller.userId, lang], () => info.areas(context, caller, lang)),
    detail: (input, { caller }) => info.detail(context, caller, input),
    location: (input, { caller }) => info.location(context, caller, input),
    mapOfCid: (input, { caller }) => info.mapOfCid(context, caller, input),
    replicas: ({ cid, asset_id }, { caller }) => replicas(context, caller, readKey(cid, asset_id)),
    ending: (input, { caller }) => listEnding(context, caller, input),
    extend: (input, { caller }) => extendFiles(context, caller, input),
    challenge: (input, { caller }) => replicaCheck(context, caller, input),
    challengeFailed: (input, { caller }) => replicaCheckFailed(context, caller, input),
    status: (input) => info.status(context, input),
    openStatus: (input) => info.status(context, input),
  })
}
