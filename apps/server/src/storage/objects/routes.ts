import { ownerOfAccessKey } from '../../identity/index.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { ownDownload } from '../downloads/service.ts'
import { createBucket, listBuckets, removeBucket } from './buckets.ts'
import { copyObject } from './copy.ts'
import { listObjects } from './list.ts'
import { listVersions } from './list-versions.ts'
import { requireObject, requireWritable } from './objects.ts'
import { openVersion } from './open-version.ts'
import { putObjects } from './put.ts'
import { removeObjects } from './remove.ts'
import { changeSettings, corsOf, settingsOf } from './settings.ts'
import { setTags } from './tags.ts'
import { removeVersions, requireVersion } from './versions.ts'

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
    find: async ({ bucket, key, version_id }, { caller }) =>
      version_id === undefined
        ? requireObject(context.db, caller, bucket, key)
        : (await requireVersion(context.db, caller, { bucket, key, version_id })).object,
    async open({ bucket, key, version_id, receipt_key: receiptKey }, { caller, ip }) {
      if (version_id !== undefined) return openVersion(context, caller, { bucket, key, version_id }, { receiptKey, ip })
      const object = await requireObject(context.db, caller, bucket, key)
      if (object.size === 0) return { object, sources: null }
      const entry = { cid: object.cid, assetId: object.asset_id }
      return { object, sources: await ownDownload(context, caller, { key: entry, areas: [], receiptKey, ip }) }
    },
    async canPut({ bucket, size }, { caller }) {
      await requireWritable(context.db, caller, bucket, size)
      return {}
    },
    put: async (input, { caller, lang }) => ({ results: await putObjects(context, caller, lang, input) }),
    copy: (input, { caller, lang }) => copyObject(context, caller, lang, input),
    async setTags(input, { caller }) {
      await setTags(context, caller, input)
      return {}
    },
    remove: (input, { caller, ip }) => removeObjects(context, caller, input, { ip }),
    versions: (input, { caller }) => listVersions(context, caller, input),
    removeVersions: (input, { caller, ip }) => removeVersions(context, caller, input, { ip }),
  })
}
