import {
  AppError,
  type contract,
  errors,
  errorText,
  GiB,
  type Lang,
  MiB,
  type Output,
  type Parsed,
} from '@tidenet/contract'
import { freeStorageOf, isTrafficCapped, lockAccountForUpdate } from '../../identity/index.ts'
import { type NodeRow, placement, signUploadToken } from '../../network/index.ts'
import { readAreas } from '../../platform/areas.ts'
import type { Member } from '../../platform/http/callers.ts'
import { findByMd5 } from '../assets/assets.ts'
import { type Context, now } from '../context.ts'
import { requireOpenAccount } from '../grants/ended-accounts.ts'
import { grantItems, sumGranted } from '../grants/grants.ts'
import { gatherAt, uploadNodes } from '../grants/targets.ts'
import { lockOpenUpload, openTrace, recordOffered, reserveUpload } from '../traces/service.ts'
import { createProofRequest, PROOF_MIN_BYTES } from '../uploads/proofs.ts'
import { findLikelyMatch } from '../uploads/service.ts'

type Operation = (typeof contract)['folderUploads']['info']
type File = Parsed<Operation>['files'][number]
type Item = Output<Operation>['list'][number]

/** Nodes offered for each file of a folder. All files together are offered more, so that they do not all go to one node. */
const OFFERED_PER_FILE = 3
/** Bytes that one node gets before it is the turn of the next: small files travel together, with one request and one sync of the disk. */
const SHARE_MIN = MiB
/** Nodes are chosen for this size, and for each larger file on its own. */
const LARGE_BYTES = GiB

/** Where to upload the files of a folder: as `uploadInfo`, for many files in one transaction. @throws AppError noArea, noNode, keyTraffic */
export async function uploadInfos(
  context: Context,
  caller: Member,
  lang: Lang,
  input: Parsed<Operation>,
): Promise<Output<Operation>> {
  const { db } = context
  const areas = readAreas(input.area_id)
  const md5s = input.files.map(({ md5 }) => md5?.toLowerCase()).filter((md5) => md5 !== undefined)
  // A key that is limited to folders does not learn what the account has elsewhere.
  const own = caller.folders ? new Map<string, string>() : await findByMd5(db, caller.userId, md5s)
  const known = await placement.findKnownSizes(
    db,
    input.files.flatMap(({ size, up_to }) => (up_to ? [] : size)),
  )
  const base = (file: File): Item => ({
    item: file.item,
    ok: true,
    AlreadyExists: false,
    CID: '',
    SizeKnown: known.has(file.size),
    Proof: null,
    tokens: [],
  })
  const refused = (file: File, { key, facts }: AppError): Item => ({
    ...base(file),
    ok: false,
    err: errors[key].err,
    msg: errorText(key, lang, facts),
  })
  const mayBeSent = ({ size }: File) => size > 0 || input.allow_empty
  const cidOf = ({ md5 }: File) => (md5 === undefined ? undefined : own.get(md5.toLowerCase()))

  const isTaken = ({ up_to }: File) => !up_to || !isTrafficCapped(caller)
  // Chosen before the transaction locks anything, because it uses another connection.
  const sendable = uniqueItems(input.files).filter(
    (file) => mayBeSent(file) && cidOf(file) === undefined && isTaken(file),
  )
  const chance = input.gather === '' ? undefined : gatherAt(context, caller.uid, input.gather)
  const chosen = await chooseNodes(context, { areas, chance }, sendable)
  const granted = new Map<File, string[] | AppError>()
  const { traceId, ended } = await db.transaction(async (tx) => {
    const account = await lockAccountForUpdate(tx, caller.userId)
    const ended = await requireOpenAccount(tx, account)
    const free = freeStorageOf(account)
    const offered = new Set([...chosen.values()].flat().map(({ id }) => id))
    const before = input.trace_id ? await lockOpenUpload(tx, caller.userId, input.trace_id) : undefined
    const at = now(context)
    const opening = {
      userId: caller.userId,
      account: caller.uid,
      kind: 'upload' as const,
      cid: '',
      name: input.name,
      at,
    }
    const traceId = before ? (input.trace_id as string) : await openTrace(tx, { ...opening, offered: [...offered] })
    if (before && [...offered].some((id) => !before.includes(id)))
      await recordOffered(tx, traceId, [...new Set([...before, ...offered])])
    const files = [...chosen.keys()]
    const upload = { userId: caller.userId, account: caller.uid, traceId, free }
    const results = await grantItems(
      context,
      tx,
      upload,
      files.map((file) => ({ item: file.item, size: file.size, upTo: file.up_to, nodes: chosen.get(file) ?? [] })),
    )
    const bytes = isTrafficCapped(caller) ? await sumGranted(tx, traceId) : undefined
    await reserveUpload(tx, caller, { traceId, bytes, isNew: !before }, at)
    granted.clear()
    for (const [index, file] of files.entries()) granted.set(file, results[index] as string[] | AppError)
    return { traceId, ended }
  })

  const nodes = new Map<string, { row: NodeRow; place: number }>()
  for (const row of [...chosen.values()].flat()) if (!nodes.has(row.id)) nodes.set(row.id, { row, place: nodes.size })
  const list: Item[] = []
  for (const file of input.files) {
    const cid = cidOf(file)
    const jtis = granted.get(file)
    if (!mayBeSent(file)) list.push(refused(file, new AppError('emptyFile')))
    else if (cid !== undefined) list.push({ ...base(file), AlreadyExists: true, CID: cid })
    else if (!isTaken(file)) list.push(refused(file, new AppError('invalidParams', { field: 'up_to' })))
    else if (!sendable.includes(file)) list.push(refused(file, new AppError('invalidParams', { field: 'item' })))
    else if (jtis === undefined) list.push(refused(file, new AppError('noNode')))
    else if (jtis instanceof AppError) list.push(refused(file, jtis))
    else
      list.push({
        ...base(file),
        Proof: await requestProof(context, caller, input.proof, file),
        tokens: await Promise.all(
          (chosen.get(file) ?? []).map(async ({ id }, index) => ({
            node: nodes.get(id)?.place ?? 0,
            Token: await signUploadToken(context, {
              aud: id,
              sub: caller.uid,
              kind: 'file',
              max: file.size,
              ...(!file.up_to && { size: file.size }),
              tid: traceId,
              jti: jtis[index] as string,
              ended,
            }),
          })),
        ),
      })
  }
  return {
    TraceID: traceId,
    AreaID: [...nodes.values()][0]?.row.country ?? '',
    nodes: [...nodes.values()].map(({ row }) => ({
      NodeID: row.id,
      UploadURL: `${row.url}/uploadv2`,
      ResumeURL: `${row.url}/tus`,
      BundleURL: `${row.url}/uploads`,
    })),
    list,
  }
}

/** The first file of each number: a number stands for one file. */
function uniqueItems(files: readonly File[]): File[] {
  const seen = new Set<number>()
  return files.filter(({ item }) => !seen.has(item) && seen.add(item))
}

/**
 * Nodes for each file; files without any are missing.
 * @throws AppError noArea, noNode if there is none for any file
 */
async function chooseNodes(
  context: Pick<Context, 'db'>,
  { areas, chance }: { areas: string[]; chance: ((node: string) => number) | undefined },
  files: readonly File[],
): Promise<Map<File, NodeRow[]>> {
  const chosen = new Map<File, NodeRow[]>()
  if (files.length === 0) return chosen
  const usual = files.filter(({ size }) => size <= LARGE_BYTES)
  const shared = await uploadNodes(context, { areas, size: Math.max(0, ...usual.map(({ size }) => size)) }, chance)
  const all = files.reduce((sum, { size }) => sum + size, 0)
  const share = Math.max(SHARE_MIN, all / shared.length)
  let before = 0
  for (const file of files) {
    const nodes =
      file.size <= LARGE_BYTES
        ? shared
        : await uploadNodes(context, { areas, size: file.size }, chance).catch(() => undefined)
    const turn = Math.floor(before / share)
    before += file.size
    if (!nodes) continue
    const first = turn % nodes.length
    chosen.set(file, [...nodes.slice(first), ...nodes.slice(0, first)].slice(0, OFFERED_PER_FILE))
  }
  return chosen
}

async function requestProof(context: Context, caller: Member, wanted: boolean, { md5, size }: File) {
  if (!wanted || md5 === undefined || size < PROOF_MIN_BYTES) return null
  const match = await findLikelyMatch(context.db, md5.toLowerCase(), size)
  return match ? createProofRequest(context, caller, match) : null
}
