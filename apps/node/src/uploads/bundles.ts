import { CHUNK_SIZE } from '@tidenet/content'
import { UPLOAD_BATCH_MAX, UPLOAD_BUNDLE_MAX, type UploadBundleAnswer } from '@tidenet/contract'
import { requestLang } from '@tidenet/daemon'
import type { FastifyInstance } from 'fastify'
import { asRefusal, Refusal, refuseForeign, refuseTooLarge } from '../refusal.ts'
import { disconnectSignal } from '../requests.ts'
import type { Tokens } from '../tokens.ts'
import type { Arriving } from './arriving.ts'
import { readFiles } from './multipart.ts'
import { createPace } from './pace.ts'
import type { Place, Slots } from './slots.ts'
import { gatherSmall, type StoredUpload, storedAnswer, type Uploads } from './store-upload.ts'

/** Most bytes of a form besides its files, for each. */
const FORM_ROOM = 5000

/**
 * `POST /uploads`: many small files in one form, each in a field `file` after its field `token`. Answers with a result for each, in their
 * order, so that one request and one sync of the disk are enough for all.
 */
export function serveUploadBundles(
  app: FastifyInstance,
  parts: { tokens: Tokens; uploads: Uploads; arriving: Arriving; slots: Slots },
): void {
  const { tokens, uploads, arriving, slots } = parts

  app.post('/uploads', async (request, reply): Promise<UploadBundleAnswer> => {
    const raw = request.raw
    // Without a limit, whoever has one valid token could send bytes for ever.
    const length = Number(raw.headers['content-length'] ?? Number.NaN)
    if (!(length <= UPLOAD_BUNDLE_MAX + UPLOAD_BATCH_MAX * FORM_ROOM)) throw refuseTooLarge(UPLOAD_BUNDLE_MAX)
    const signal = disconnectSignal(raw, reply.raw)
    let place: Place | undefined
    // From the beginning, and also between the files: a sender must not hold a slot without sending.
    const pace = createPace(signal, () => place?.stepAside() ?? true)
    const results: Promise<StoredUpload | Refusal>[] = []
    try {
      await readFiles(raw, { most: UPLOAD_BATCH_MAX, signal: pace.signal }, async (token, file) => {
        const claims = await tokens.upload(token).catch((error: unknown) => {
          // Slots are few: the sender must show a valid token before its first bytes are read.
          if (!place) throw error
          return refusalOf(error)
        })
        if (claims instanceof Refusal) {
          file.resume()
          results.push(Promise.resolve(claims))
          return
        }
        if (claims.kind !== 'file') throw refuseForeign('The token is for an archive.')
        if (!place) {
          const entering = slots.enter(signal)
          pace.received(0, entering)
          place = await entering
        }
        const bytes = await gatherSmall(claims, file, { pace, arriving, most: CHUNK_SIZE })
        const storing = uploads.storeSmall(claims, bytes, { later: true }).catch(refusalOf)
        // Awaited below, once the form was read.
        storing.catch(() => {}).finally(() => arriving.ended(claims))
        results.push(storing)
      })
      const lang = requestLang(request)
      const list = (await Promise.all(results)).map((result) =>
        result instanceof Refusal
          ? { ...result.body(lang), status: result.status, cid: '', receipt: '' }
          : { ...storedAnswer(result), status: 200 },
      )
      return { code: 0, err: 0, msg: '', list }
    } finally {
      await Promise.allSettled(results)
      pace.stop()
      place?.leave()
    }
  })
}

function refusalOf(error: unknown): Refusal {
  const refusal = asRefusal(error)
  if (refusal instanceof Refusal) return refusal
  throw error
}
