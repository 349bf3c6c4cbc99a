import { createCache } from '../../platform/cache.ts'
import { deletedMessage, successMessage } from '../../platform/http/messages.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import * as info from './info.ts'
import { replicaCheck, replicaCheckFailed, replicas } from './replicas.ts'
import { createAsset, moveAsset, removeAsset, renameAsset } from './service.ts'

export function serveAssets(serving: ServerServing, context: Context): void {
  // `count` and `areas` read every replica of an account, and dashboards poll them.
  const cached = createCache(context)
  serveModule(serving, 'assets', {
    create: (input, { caller, ip }) => createAsset(context, caller, input, ip),
    rename: async ({ asset_cid, new_name }, { caller, lang }) => {
      await renameAsset(context, caller, asset_cid, new_name)
      return successMessage(lang)
    },
    move: async ({ asset_cid, group_id }, { caller, lang }) => {
      await moveAsset(context, caller, asset_cid, group_id)
      return successMessage(lang)
    },
    remove: async ({ asset_cid, area_id, trash }, { caller, lang }) => {
      const { complete } = await removeAsset(context, caller, asset_cid, area_id, trash)
      return deletedMessage(lang, complete)
    },
    list: (input, { caller, lang }) => info.list(context, caller, input, lang),
    count: (_, { caller }) => cached(['count', caller.userId], () => info.count(context, caller)),
    areas: (_, { caller, lang }) => cached(['areas', caller.userId, lang], () => info.areas(context, caller, lang)),
    detail: (input, { caller }) => info.detail(context, caller, input),
    location: (input, { caller }) => info.location(context, caller, input),
    mapOfCid: (input, { caller }) => info.mapOfCid(context, caller, input),
    replicas: ({ cid }, { caller }) => replicas(context, caller, cid),
    challenge: (input, { caller }) => replicaCheck(context, caller, input),
    challengeFailed: (input, { caller }) => replicaCheckFailed(context, caller, input),
    status: (input) => info.status(context, input),
    openStatus: (input) => info.status(context, input),
  })
}
