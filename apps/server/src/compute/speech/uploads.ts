import {
  AppError,
  type contract,
  type Parsed,
  SPEECH_PART,
  SPEECH_PART_MIN,
  SPEECH_PER_DAY,
  SPEECH_QUEUE_MAX,
  SPEECH_SECONDS_MAX,
  SPEECH_STORED_MAX,
  SPEECH_TRANSCRIPTS_MAX,
  SPEECH_UNFINISHED_MAX,
  SPEECH_UPLOADS_PER_DAY,
  SPEECH_UPLOADS_PER_NETWORK,
} from '@tidenet/contract'
import { type Audio, type AudioProblem, audioKind, readAudio } from '@tidenet/contract/speech-audio'
import { visitorNetworkOf } from '@tidenet/daemon'
import { DAY } from '../../platform/ago.ts'
import { countFailure } from '../../platform/attempts/attempts.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import { harmlessText } from '../../storage/index.ts'
import { type Context, type Db, now } from '../context.ts'
import { engineOf } from './engine-of.ts'
import * as repository from './repository.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock'>
type Input = Parsed<typeof contract.speech.upload>

/** An account's second recording of a day is queued as if it had arrived this much later, the third one twice as much. */
const LATER_MS = 15 * 60_000

interface Caller {
  userId: number
  ip: string
}

/** `2026-11-24`, in UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

export const nameOf = (text: string): string => harmlessText(text).replaceAll('\n', ' ') || 'recording'

/**
 * Stores a part of a recording, the next one after what has arrived; any other part has no effect. The last part queues the transcription and
 * takes a use, in one transaction.
 * @throws AppError as the operation declares; the upload is deleted if its recording or the account's uses are the reason
 */
export async function upload(context: Deps, caller: Caller, input: Input, part: Buffer): Promise<repository.TaskRow> {
  const row = await context.db.transaction((tx) => storePart(context, tx, caller, input, part))
  return row.state === 'uploading' && row.received === row.size ? start(context, row) : row
}

async function storePart(context: Deps, tx: Db, caller: Caller, input: Input, part: Buffer) {
  const { id, offset } = input
  const { userId } = caller
  await advisoryLock(tx, `speech ${userId}`)
  const row = (await repository.lockTask(tx, userId, id)) ?? (await begin(context, tx, caller, input))
  if (row.size !== input.size) throw new AppError('invalidParams', { field: 'size' })
  if (row.state !== 'uploading' || row.received !== offset || row.received === row.size) return row
  if (part.length === 0) throw new AppError('speechNoFile')
  if (part.length > row.size - offset) throw new AppError('invalidParams', { field: 'size' })
  if (part.length < Math.min(SPEECH_PART_MIN, row.size - offset)) throw partRefused()
  if (offset === 0 && !audioKind(part)) throw new AppError('speechType')
  await repository.insertPart(tx, row.no, offset, part, now(context))
  return { ...row, received: offset + part.length }
}

async function begin(context: Deps, tx: Db, { userId, ip }: Caller, input: Input): Promise<repository.TaskRow> {
  const at = now(context)
  if (!engineOf(context)) throw new AppError('speechNoEngine')
  if (input.offset !== 0) throw new AppError('speechUnknown')
  const { unfinished, kept } = await repository.countTasks(tx, userId)
  if (unfinished >= SPEECH_UNFINISHED_MAX) throw new AppError('speechUnfinished', { max: SPEECH_UNFINISHED_MAX })
  if (kept >= SPEECH_TRANSCRIPTS_MAX) throw new AppError('speechFull', { max: SPEECH_TRANSCRIPTS_MAX })
  if ((await repository.countUses(tx, userId, dayOf(at))) >= SPEECH_PER_DAY)
    throw new AppError('speechNoUses', { max: SPEECH_PER_DAY })
  const { queued, bytes } = await repository.load(tx)
  if (queued >= SPEECH_QUEUE_MAX || bytes + input.size > SPEECH_STORED_MAX) throw new AppError('speechBusy')
  for (const [subject, max] of [
    [String(userId), SPEECH_UPLOADS_PER_DAY],
    [visitorNetworkOf(ip), SPEECH_UPLOADS_PER_NETWORK],
  ] as const) {
    const limit = { kind: 'speech uploads', max, within: DAY }
    const seconds = await countFailure({ db: tx, clock: context.clock }, limit, subject)
    if (seconds > 0) throw new AppError('tooManyRequests', { seconds })
  }
  return repository.insertTask(tx, { ...input, userId, name: nameOf(input.name), at })
}

const checks = new Map<string, Promise<Audio>>()
/** Repeated last parts wait for the same check, which reads the whole recording. */
function check(context: Deps, { no, id }: repository.TaskRow): Promise<Audio> {
  const key = `${no} ${id}`
  const running = checks.get(key)
  if (running) return running
  const started = readAudio(repository.partsOf(context.db, no)).finally(() => checks.delete(key))
  checks.set(key, started)
  return started
}

async function start(context: Deps, row: repository.TaskRow): Promise<repository.TaskRow> {
  const audio = await check(context, row)
  if ('problem' in audio) {
    // Cancelling deletes the parts; what is left then is no damaged recording.
    const current = await repository.findTask(context.db, row.user_id, row.id)
    if (current && current.state !== 'uploading') return current
    await repository.deleteUpload(context.db, row.no)
    throw problemOf(audio.problem)
  }
  const at = now(context)
  const day = dayOf(at)
  const started = await context.db.transaction(async (tx) => {
    const current = await repository.lockTask(tx, row.user_id, row.id)
    if (current?.state !== 'uploading') return current
    const used = await repository.takeUse(tx, row.user_id, day, SPEECH_PER_DAY)
    if (used === undefined) {
      await repository.deleteUpload(tx, row.no)
      return 'none left'
    }
    const queueAt = new Date(at.getTime() + (used - 1) * LATER_MS)
    await repository.enqueue(tx, row.no, { ...audio, day, at, queueAt })
    return repository.findTask(tx, row.user_id, row.id)
  })
  if (started === 'none left') throw new AppError('speechNoUses', { max: SPEECH_PER_DAY })
  if (!started) throw new AppError('speechUnknown')
  return started
}

const problemOf = (problem: AudioProblem): AppError =>
  problem === 'speechDuration' ? new AppError(problem, { minutes: SPEECH_SECONDS_MAX / 60 }) : new AppError(problem)

const partRefused = () => new AppError('speechPart', { min: SPEECH_PART_MIN, max: SPEECH_PART })

/** Reads the body of a request. @throws AppError speechPart */
export async function readPart(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.length
    if (length > SPEECH_PART) throw partRefused()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
