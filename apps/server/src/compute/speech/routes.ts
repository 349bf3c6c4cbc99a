import { AppError, type SpeechFormat } from '@tidenet/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { createDownloads } from './downloads.ts'
import { formats, MEDIA } from './formats.ts'
import { partsOf, type TaskRow } from './repository.ts'
import * as tasks from './tasks.ts'
import * as transcripts from './transcripts.ts'
import { readPart, upload } from './uploads.ts'
import { toWireTask } from './wire.ts'

/** Speech to text. */
export async function serveSpeech(serving: ServerServing, context: Context): Promise<void> {
  // A scope of its own: only here, a body can be bytes, which the handler reads itself.
  await serving.app.register(async (scope: FastifyInstance) => {
    scope.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null))
    serveOperations({ ...serving, app: scope }, context)
  })
}

function serveOperations(serving: ServerServing, context: Context): void {
  const downloads = createDownloads()
  serveModule(serving, 'speech', {
    account: (_, { caller }) => tasks.readAccount(context, caller.userId),
    async upload(input, { caller, request, ip }) {
      const part = await readPart(bodyOf(request))
      return { task: await toWireTask(context, await upload(context, { userId: caller.userId, ip }, input, part)) }
    },
    status: ({ id }, { caller }) => tasks.readStatus(context, caller.userId, id),
    cancel: ({ id }, { caller }) => tasks.cancel(context, caller.userId, id),
    check: (_, { caller }) => tasks.listUnfinished(context, caller.userId),
    list: (input, { caller }) => tasks.listTasks(context, caller.userId, input),
    transcript: ({ id }, { caller }) => transcripts.readTranscript(context, caller.userId, id),
    edit: (input, { caller }) => transcripts.editTranscript(context, caller.userId, input),
    rename: ({ id, name }, { caller }) => tasks.rename(context, caller.userId, id, name),
    async export({ id, format }, { caller, reply }) {
      const { row, segments } = await transcripts.readForExport(context, caller.userId, id)
      const { name, language, seconds } = row
      return reply
        .type(MEDIA[format])
        .header('content-disposition', attachment(row, format))
        .send(formats[format]({ name, language, seconds: seconds ?? 0, segments })) as never
    },
    async audio({ id }, { caller, reply }) {
      const row = await tasks.requireTask(context.db, caller.userId, id)
      if (!row.has_audio || row.kind === null) throw new AppError('speechAudioGone')
      const stream = downloads.start(caller.userId, partsOf(context.db, row.no), reply.raw)
      return reply
        .type(row.kind === 'mp3' ? 'audio/mpeg' : 'audio/wav')
        .header('content-length', row.size)
        .header('content-disposition', attachment(row, row.kind))
        .send(stream) as never
    },
    removeAudio: ({ id }, { caller }) => tasks.removeAudio(context, caller.userId, id),
    async remove({ id }, { caller }) {
      await tasks.remove(context, caller.userId, id)
      return {}
    },
    search: (input, { caller }) => transcripts.search(context, caller.userId, input),
  })
}

/** @throws AppError speechNoFile if the body is something else than bytes */
function bodyOf({ headers, body, raw }: FastifyRequest): AsyncIterable<Buffer> {
  const isBytes = headers['content-type']?.split(';')[0]?.trim().toLowerCase() === 'application/octet-stream'
  if (!isBytes || body !== undefined) throw new AppError('speechNoFile')
  return raw
}

/** `speech.mp3` becomes `speech.srt`. */
function attachment({ name }: TaskRow, ending: SpeechFormat | 'mp3' | 'wav'): string {
  const base = name.replace(/\.(mp3|wav)$/i, '').replaceAll(/[/\\"]/g, '_') || 'recording'
  const file = `${base}.${ending}`
  return `attachment; filename="${file.replaceAll(/[^\x20-\x7e]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(file).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
}
