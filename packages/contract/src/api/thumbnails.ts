import { z } from 'zod'
import { cid } from '../fields.ts'
import { route } from '../route.ts'
import { THUMBNAIL_MAX, THUMBNAILS_A_CALL } from '../thumbnails.ts'

/** Base64: 4 characters for 3 bytes. */
const image = z.string().max(Math.ceil(THUMBNAIL_MAX / 3) * 4)

/** Small pictures of files, made by the client that uploads or shows them. The server cannot make them of encrypted files. */
export const thumbnails = {
  get: route({
    method: 'POST',
    path: '/api/v1/storage/thumbnails',
    repeatable: true,
    auth: 'session',
    team: 'viewer',
    input: z.object({ cids: z.array(cid).min(1).max(THUMBNAILS_A_CALL) }),
    output: z.object({
      /** Those that are kept, in any order. The image of an encrypted file is an age file for the key of the account's vault. */
      list: z.array(z.object({ cid: z.string(), image: z.string() })),
    }),
    errors: ['badCid'],
    summary: 'Returns the kept thumbnails of files: WebP or JPEG in base64, encrypted with age if the file is',
  }),
  keep: route({
    method: 'POST',
    path: '/api/v1/storage/keep_thumbnail',
    repeatable: true,
    auth: 'session',
    team: 'editor',
    input: z.object({ cid, image }),
    /** Whether it is kept: not if the account has the most that are kept, or one of this file, or if the file is smaller. */
    output: z.object({ kept: z.boolean() }),
    errors: ['badCid', 'assetUnknown', 'badThumbnail'],
    summary: 'Keeps a thumbnail for the content of a file, until the account no longer has the content',
  }),
}
