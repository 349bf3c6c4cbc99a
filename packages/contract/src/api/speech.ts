import { z } from 'zod'
import { int, nothing, page, pageSize, plain, refuse } from '../fields.ts'
import { route } from '../route.ts'
import {
  SPEECH_BYTES_MAX,
  SPEECH_ENGINES,
  SPEECH_FAILURES,
  SPEECH_FORMATS,
  SPEECH_KINDS,
  SPEECH_LANGUAGES,
  SPEECH_NAME_MAX,
  SPEECH_SEGMENTS_MAX,
  SPEECH_STATES,
  SPEECH_TEXT_MAX,
} from '../speech.ts'

/** Made by the client, new for every recording: a repeated call has no effect. */
const id = z.uuid().toLowerCase()

export const speechTask = z.object({
  id: z.string(),
  name: z.string(),
  language: z.enum(SPEECH_LANGUAGES),
  state: z.enum(SPEECH_STATES),
  failure: z.enum(SPEECH_FAILURES),
  /** Bytes of the recording, and how many of them have arrived. */
  size: z.number(),
  received: z.number(),
  /** Of the recording; null until it is uploaded. */
  kind: z.enum(SPEECH_KINDS).nullable(),
  seconds: z.number().nullable(),
  /** 1: next; 0: it does not wait. Ones that arrive later can be before an account's second and third of the day. */
  position: z.number(),
  /** Until the text is expected, in seconds; null unless it is `processing` or `transcribing`. */
  estimate: z.number().nullable(),
  /** It waits because the engine is unreachable. */
  waits_for_engine: z.boolean(),
  /** The recording can be downloaded until then; null if it is deleted, or will be kept until the transcription ends. */
  audio_until: z.string().nullable(),
  has_audio: z.boolean(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
})
export type SpeechTask = z.infer<typeof speechTask>

const segment = z.object({
  /** In seconds from the start of the recording. */
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** What the engine wrote; null if it was not edited. */
  original: z.string().nullable(),
})
export type SpeechSegment = z.infer<typeof segment>

const authorization = true
export const speech = {
  account: route({
    method: 'GET',
    path: '/whisperapi/v1/account',
    auth: 'session',
    authorization,
    input: nothing,
    output: z.object({
      /** Transcriptions per UTC day. Unfinished ones count; cancelled and failed ones do not. */
      limit: z.number(),
      used: z.number(),
      remaining: z.number(),
      resets_at: z.string(),
      engine: z.enum(SPEECH_ENGINES),
      /** Who receives the recordings, as the operator names it. */
      engine_name: z.string(),
    }),
    errors: [],
    limit: 240,
    summary: 'Returns how many transcriptions the account has left today, and the state of the speech engine',
  }),
  upload: route({
    method: 'POST',
    path: '/whisperapi/v1/upload',
    repeatable: true,
    auth: 'session',
    authorization,
    accepts: 'application/octet-stream',
    input: z.object({
      id: z.uuid({ error: refuse('speechNoFile') }).toLowerCase(),
      name: z
        .string({ error: refuse('speechNoFile') })
        .trim()
        .min(1, refuse('speechNoFile'))
        .max(SPEECH_NAME_MAX),
      language: z.enum(SPEECH_LANGUAGES, { error: refuse('speechNoLanguage') }),
      size: z.coerce
        .number({ error: refuse('speechNoFile') })
        .int(refuse('speechNoFile'))
        .min(1, refuse('speechNoFile'))
        .max(SPEECH_BYTES_MAX, refuse('speechTooLarge', { max: SPEECH_BYTES_MAX })),
      /** Of the part that is sent. The first part tells the kind. */
      offset: int(0, SPEECH_BYTES_MAX).default(0),
    }),
    /** `task.received`: where the next part starts. After the last part the transcription waits in the queue. */
    output: z.object({ task: speechTask }),
    errors: [
      'speechNoEngine',
      'speechBusy',
      'speechNoUses',
      'speechNoFile',
      'speechNoLanguage',
      'speechTooLarge',
      'speechType',
      'speechUnreadable',
      'speechDuration',
      'speechUnfinished',
      'speechFull',
      'speechUnknown',
      'tooManyRequests',
      'speechPart',
    ],
    limit: 600,
    summary:
      'Uploads a recording in parts of 64 KiB to 1 MiB, the last of which may be smaller and starts the transcription. Fields are in the query, the body is the part',
  }),
  status: route({
    method: 'GET',
    path: '/whisperapi/v1/task-status',
    auth: 'session',
    authorization,
    input: z.object({ id }),
    output: z.object({ task: speechTask }),
    errors: ['speechUnknown'],
    limit: 600,
    summary: 'Returns the state of a transcription, its position in the queue and when its text is expected',
  }),
  cancel: route({
    method: 'POST',
    path: '/whisperapi/v1/task-cancel',
    repeatable: true,
    auth: 'session',
    authorization,
    input: z.object({ id }),
    output: z.object({ task: speechTask }),
    errors: ['speechUnknown'],
    limit: 120,
    summary:
      'Cancels an upload or a transcription, deletes its recording and returns its use; no effect if it has ended',
  }),
  check: route({
    method: 'GET',
    path: '/whisperapi/v1/task-check',
    auth: 'session',
    authorization,
    input: nothing,
    output: z.object({ list: z.array(speechTask) }),
    errors: [],
    limit: 240,
    summary: 'Returns the unfinished uploads and transcriptions of the account, oldest first',
  }),
  list: route({
    method: 'GET',
    path: '/whisperapi/v1/tasks',
    auth: 'session',
    authorization,
    input: z.object({ page, size: pageSize }),
    output: z.object({ total: z.number(), list: z.array(speechTask) }),
    errors: [],
    limit: 240,
    summary: 'Lists uploads and transcriptions of the account, newest first',
  }),
  transcript: route({
    method: 'GET',
    path: '/whisperapi/v1/transcript',
    auth: 'session',
    authorization,
    input: z.object({ id }),
    output: z.object({ task: speechTask, version: z.number(), segments: z.array(segment) }),
    errors: ['speechUnknown', 'speechNoText'],
    limit: 240,
    summary: 'Returns the text of a transcription, in segments with time codes',
  }),
  edit: route({
    method: 'POST',
    path: '/whisperapi/v1/transcript-edit',
    auth: 'session',
    authorization,
    input: z.object({
      id,
      /** From `speech.transcript`. */
      version: int(0),
      /** `index` counts from 0. Null: as the engine wrote it. */
      changes: z
        .array(z.object({ index: int(0, SPEECH_SEGMENTS_MAX), text: plain(SPEECH_TEXT_MAX).nullable() }))
        .min(1)
        .max(SPEECH_SEGMENTS_MAX),
    }),
    output: z.object({ version: z.number(), segments: z.array(segment) }),
    errors: ['speechUnknown', 'speechNoText', 'speechChanged', 'speechLong'],
    limit: 240,
    summary:
      'Changes texts of segments; the time codes and what the engine wrote stay. In a traditional Chinese transcript, texts in simplified characters are converted',
  }),
  rename: route({
    method: 'POST',
    path: '/whisperapi/v1/task-rename',
    repeatable: true,
    auth: 'session',
    authorization,
    input: z.object({ id, name: z.string().trim().min(1, refuse('nameMissing')).max(SPEECH_NAME_MAX) }),
    output: z.object({ task: speechTask }),
    errors: ['speechUnknown', 'nameMissing'],
    limit: 120,
    summary: 'Renames a transcription',
  }),
  export: route({
    method: 'GET',
    path: '/whisperapi/v1/transcript-export',
    auth: 'session',
    authorization,
    shape: 'raw',
    media: 'text/plain',
    input: z.object({ id, format: z.enum(SPEECH_FORMATS) }),
    output: z.string(),
    errors: ['speechUnknown', 'speechNoText'],
    limit: 120,
    summary: 'Downloads a transcript as plain text, SubRip (SRT), WebVTT or JSON',
  }),
  audio: route({
    method: 'GET',
    path: '/whisperapi/v1/audio',
    auth: 'session',
    authorization,
    shape: 'raw',
    media: 'audio/*',
    input: z.object({ id }),
    output: z.string(),
    errors: ['speechUnknown', 'speechAudioGone', 'tooManyRequests'],
    limit: 60,
    summary: 'Downloads the recording of a transcription; it is deleted 24 hours after the transcription ended',
  }),
  removeAudio: route({
    method: 'POST',
    path: '/whisperapi/v1/audio-remove',
    repeatable: true,
    auth: 'session',
    authorization,
    input: z.object({ id }),
    output: z.object({ task: speechTask }),
    errors: ['speechUnknown', 'speechNoText'],
    limit: 120,
    summary: 'Deletes the recording of a transcription that has ended, before its time; the text stays',
  }),
  remove: route({
    method: 'POST',
    path: '/whisperapi/v1/task-remove',
    repeatable: true,
    auth: 'session',
    authorization,
    input: z.object({ id }),
    output: nothing,
    errors: [],
    limit: 120,
    summary: 'Deletes a transcription with its recording and text; an unfinished one is cancelled first',
  }),
  search: route({
    method: 'GET',
    path: '/whisperapi/v1/search',
    auth: 'session',
    authorization,
    input: z.object({ q: plain(100).trim().min(1), page, size: pageSize }),
    output: z.object({
      total: z.number(),
      /** Segments that contain the text, of the newest transcript first. */
      list: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          index: z.number(),
          start: z.number(),
          end: z.number(),
          text: z.string(),
          created_at: z.string(),
        }),
      ),
    }),
    errors: [],
    limit: 120,
    summary: 'Finds text in the transcripts of the account; upper and lower case are the same',
  }),
}
