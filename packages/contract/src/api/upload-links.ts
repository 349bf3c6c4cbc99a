import { z } from 'zod'
import { assetName, cid, int, msg } from '../fields.ts'
import { nodeUpload } from '../objects.ts'
import { route } from '../route.ts'

/** `ticket` of `shortLinks.open` for a link that receives files; valid for a day, until the link changes. */
const ticket = z.string().min(1).max(2000)

export const uploadLinks = {
  begin: route({
    method: 'POST',
    path: '/api/v1/storage/upload_link/begin',
    auth: 'optional',
    input: z.object({
      ticket,
      size: int(1),
      /** `TraceID` of an unfinished upload of this file by the same link: continues it. Otherwise another upload begins. */
      trace_id: z.string().max(80).optional(),
    }),
    output: z.object({
      List: z.array(nodeUpload),
      AreaID: z.string(),
      TraceID: z.string(),
      available_nodes: z.number(),
    }),
    errors: ['uploadLinkEnded', 'uploadLinkFull', 'noArea', 'noNode', 'tooManyUploads'],
    limit: 600,
    summary: 'Returns nodes for the upload of a file through an upload link',
  }),
  add: route({
    method: 'POST',
    path: '/api/v1/storage/upload_link/add',
    repeatable: true,
    auth: 'optional',
    input: z.object({
      ticket,
      /** `TraceID` of `begin`; only whoever uploaded the file knows it. */
      trace_id: z.string().min(1).max(80),
      name: assetName,
      cid,
      receipt: z.string().max(4000).optional(),
    }),
    /** Does not tell under which name: that would reveal what the folder contains. */
    output: msg,
    errors: [
      'nameMissing',
      'nameTooLong',
      'nameForbidden',
      'badCid',
      'notFound',
      'nodeSignature',
      'folderUnknown',
      'uploadLinkEnded',
      'uploadLinkFull',
    ],
    limit: 600,
    summary: 'Adds an uploaded file to the folder of an upload link; a name that is taken gets a number',
  }),
}
