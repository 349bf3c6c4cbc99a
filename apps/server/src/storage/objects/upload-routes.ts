import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { joinParts } from './join.ts'
import { tagsOf, textsOf } from './objects.ts'
import { beginUpload, endUpload, listParts, listUploads, openPart, putPart, requireUpload } from './uploads.ts'

export function serveObjectUploads(serving: ServerServing, context: Context): void {
  serveModule(serving, 's3Uploads', {
    begin: async (input, { caller }) => ({ upload_id: await beginUpload(context, caller, input) }),
    async find(input, { caller }) {
      const { headers, metadata, tags, ...upload } = await requireUpload(context.db, caller, input)
      const details = { headers: textsOf(headers), metadata: textsOf(metadata), tags: tagsOf(tags) }
      const { algorithm, checksum_type, created_at } = upload
      return { ...details, algorithm, checksum_type, created: created_at.toISOString() }
    },
    putPart: async (input, { caller }) => ({ modified: (await putPart(context, caller, input)).toISOString() }),
    parts: (input, { caller }) => listParts(context, caller, input),
    openPart: (input, { caller }) => openPart(context, caller, input),
    join: (input, { caller }) => joinParts(context, caller, input),
    list: (input, { caller }) => listUploads(context, caller, input),
    async end(input, { caller }) {
      await endUpload(context, caller, input)
      return {}
    },
  })
}
