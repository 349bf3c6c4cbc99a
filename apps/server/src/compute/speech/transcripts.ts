import {
  AppError,
  type contract,
  type Output,
  type Parsed,
  SPEECH_TEXT_MAX,
  type SpeechSegment,
} from '@tidenet/contract'
import { harmlessText } from '../../storage/index.ts'
import type { Context, Db } from '../context.ts'
import type { TaskRow } from './repository.ts'
import { requireTask } from './tasks.ts'
import { toTraditional } from './traditional.ts'
import * as repository from './transcripts-repository.ts'
import { toWireTask } from './wire.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock'>
type Operations = typeof contract.speech

const toWireSegment = ({ start_at, end_at, original, edited }: repository.SegmentRow): SpeechSegment => ({
  start: start_at,
  end: end_at,
  text: edited ?? original,
  original: edited === null ? null : original,
})

/** @throws AppError speechUnknown, speechNoText */
async function requireText(db: Db, userId: number, id: string, lock?: 'lock'): Promise<TaskRow> {
  const row = await requireTask(db, userId, id, lock)
  if (row.state !== 'complete') throw new AppError('speechNoText')
  return row
}

const readSegments = async (db: Db, no: number): Promise<SpeechSegment[]> =>
  (await repository.segmentsOf(db, no)).map(toWireSegment)

export async function readTranscript(
  context: Deps,
  userId: number,
  id: string,
): Promise<Output<Operations['transcript']>> {
  const row = await requireText(context.db, userId, id)
  const [task, segments] = await Promise.all([toWireTask(context, row), readSegments(context.db, row.no)])
  return { task, version: row.version, segments }
}

const oneLine = (text: string): string => harmlessText(text).replaceAll(/\s*\n\s*/g, ' ')

export const editTranscript = (
  { db }: Deps,
  userId: number,
  { id, version, changes }: Parsed<Operations['edit']>,
): Promise<Output<Operations['edit']>> =>
  db.transaction(async (tx) => {
    const row = await requireText(tx, userId, id, 'lock')
    if (row.version !== version) throw new AppError('speechChanged')
    const written = changes.map(({ text }) => (text === null ? '' : oneLine(text)))
    const converted = row.language === 'zh-Hant' ? await toTraditional(written) : written
    // The last change of a segment counts.
    const texts = new Map(changes.map(({ index, text }, at) => [index, text === null ? null : (converted[at] ?? '')]))
    const edited = await repository.editSegments(
      tx,
      row.no,
      [...texts].map(([index, text]) => ({ index, text })),
    )
    if (edited !== texts.size) throw new AppError('invalidParams', { field: 'changes' })
    if ((await repository.lengthOf(tx, row.no)) > SPEECH_TEXT_MAX)
      throw new AppError('speechLong', { max: SPEECH_TEXT_MAX })
    return { ...(await repository.nextVersion(tx, row.no)), segments: await readSegments(tx, row.no) }
  })

export async function readForExport(
  { db }: Deps,
  userId: number,
  id: string,
): Promise<{ row: TaskRow; segments: SpeechSegment[] }> {
  const row = await requireText(db, userId, id)
  return { row, segments: await readSegments(db, row.no) }
}

export async function search(
  { db }: Deps,
  userId: number,
  { q, ...page }: Parsed<Operations['search']>,
): Promise<Output<Operations['search']>> {
  const pattern = `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`
  const [rows, total] = await Promise.all([
    repository.findText(db, userId, pattern, page),
    repository.countFound(db, userId, pattern),
  ])
  const list = rows.map(({ start_at, end_at, created_at, ...row }) => ({
    ...row,
    start: start_at,
    end: end_at,
    created_at: created_at.toISOString(),
  }))
  return { total, list }
}
