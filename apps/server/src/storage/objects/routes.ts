import { ownerOfAccessKey } from '../../identity/index.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { ownDownload } from '../downloads/service.ts'
import { createBucket, listBuckets, removeBucket } from './buckets.ts'
import { copyObject } from './copy.ts'
import { listObjects } from './list.ts'
import { requireObject } from './objects.ts'
import { putObjects } from './put.ts'
import { removeObjects } from './remove.ts'
import { changeSettings, corsOf, settingsOf } from './settings.ts'
import { setTags } from './tags.ts'

export function serveObjects(serving: ServerServing, context: Context): void {
  serveModule(serving, 's3', {
    buckets: (_, { caller }) => listBuckets(context, caller),
    async createBucket({ bucket }, { caller }) {
      await createBucket(context, caller, bucket)
      return {}
    },
    async removeBucket({ bucket }, { caller, ip }) {
      await removeBucket(context, caller, bucket, { ip })
      return {}
    },
    settings: ({ bucket }, { caller }) => settingsOf(context.db, caller, bucket),
    async changeSettings(input, { caller }) {
      await changeSettings(context, caller, input)
      return {}
    },
    cors: async ({ bucket }, { caller }) => ({ rules: await corsOf(context.db, caller, bucket) }),
    async corsOfKey({ bucket, access_key_id }) {
      const owner = await ownerOfAccessKey(context.db, access_key_id)
      return { rules: owner ? await corsOf(context.db, owner, bucket) : [] }
    },
    list: (input, { caller }) => listObjects(context, caller, input),
    find: ({ bucket, key }, { caller }) => requireObject(context.db, caller, bucket, key),
    async open({ bucket, key, receipt_key: receiptKey }, { caller, ip }) {
      const object = await requireObject(context.db, caller, bucket, key)
      if (object.size === 0) return { object, sources: null }
      const entry = { cid: object.cid, assetId: object.asset_id }
      return { object, sources: await ownDownload(context, caller, { key: entry, areas: [], receiptKey, ip }) }
    },
    put: async (input, { caller, lang }) => ({ results: await putObjects(context, caller, lang, input) }),
    copy: (input, { caller, lang }) => copyObject(context, caller, lang, input),
    async setTags(input, { caller }) {
      await setTags(context, caller, input)
      return {}
    },
    async remove(input, { caller, ip }) {
      await removeObjects(context, caller, input, { ip })
      return {}
    },
  })
}
