import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, refuseForeign, refuseTooLarge } from '../refusal.ts'
import { bearerToken, disconnectSignal } from '../requests.ts'
import type { Tokens } from '../tokens.ts'
import { type FormFile, readForm } from './multipart.ts'
import { inSlot, type Slots } from './slots.ts'
import { storedAnswer, type UploadSource, type Uploads } from './store-upload.ts'

const ARCHIVE_TYPES = /^application\/(vnd\.ipld\.)?car\b/i
/** Most bytes of a form besides the file. */
const FORM_ROOM = 64 * 1024

/**
 * `POST /uploadv2` (a form with a field `file`) and `POST /upload` (the same, or an archive as the body). The token defines whether a file
 * or an archive is stored. It is sent as a header, in the query, or as a field before the file.
 */
export function serveUploads(app: FastifyInstance, parts: { tokens: Tokens; uploads: Uploads; slots: Slots }): void {
  const { tokens, uploads, slots } = parts

  const upload = async (request: FastifyRequest, reply: FastifyReply) => {
    const raw = request.raw
    let token = bearerToken(request)
    // Verify the token before reading the body.
    let claims = token === undefined ? undefined : await tokens.upload(token)
    let form: FormFile | undefined
    const signal = disconnectSignal(raw, reply.raw)
    try {
      let source: UploadSource
      if (ARCHIVE_TYPES.test(raw.headers['content-type'] ?? '')) {
        source = { bytes: raw, most: contentLength(raw) }
      } else {
        form = await readForm(raw)
        token ??= form.fields.get('token')
        source = { bytes: form.file, finished: form.finished, most: contentLength(raw) }
      }
      claims ??= await tokens.upload(token)
      if (claims.kind === 'car' && claims.cid === undefined) throw refuseForeign('The token names no root.')
      if ((contentLength(raw) ?? 0) > claims.max + FORM_ROOM) throw refuseTooLarge(claims.max)
      const known = claims
      return storedAnswer(await inSlot(slots, signal, (pace) => uploads.receive(known, source, pace)))
    } catch (error) {
      throw error instanceof Refusal ? error : (form?.failure ?? error)
    } finally {
      raw.unpipe()
    }
  }

  app.post('/uploadv2', upload)
  app.post('/upload', upload)
}

function contentLength(request: IncomingMessage): number | undefined {
  const length = Number(request.headers['content-length'])
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined
}
