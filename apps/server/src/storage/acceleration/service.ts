import {
  ACCELERATION_SAMPLES_MIN,
  ACCELERATIONS_MAX,
  type AccelerationInfo,
  type AccelerationState,
  AppError,
  type contract,
  type Lang,
  NEAR_AREAS_MAX,
  NEAR_COPIES,
  type Output,
  type Parsed,
} from '@tidenet/contract'
import { areaName } from '@tidenet/contract/areas'
import { lockAccountForUpdate, plansOf } from '../../identity/index.ts'
import { isCountry, placement } from '../../network/index.ts'
import { readAreas } from '../../platform/areas.ts'
import { type Member, requirePermission } from '../../platform/http/callers.ts'
import { findAsset } from '../assets/assets.ts'
import { readKey } from '../assets/key.ts'
import { type Context, now } from '../context.ts'
import { findPath, findTree } from '../tree/tree.ts'
import { addCounts, FIRST_BYTE, medianOf, RATE, total } from './measures.ts'
import { countryOfReader } from './reads.ts'
import * as repository from './repository.ts'
import { copiedBytes, copiesLimit, nearestTo } from './review.ts'

type Api = (typeof contract)['acceleration']
type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'policy' | 'log'>

/** Areas with measurements that are shown. */
const AREAS_SHOWN = 10

/** An asset or a folder of the caller. */
interface Found {
  target: repository.Target
  /** Ids of the folders that it is in, and of the folder itself. */
  folders: { id: number; name: string }[]
  /** An asset: the countries that its owner allows. */
  allowed: readonly string[]
}

/**
 * @param needed the permissions for an asset and a folder
 * @throws AppError fileAndFolder, forbidden, badCid, assetUnknown, folderUnknown
 */
async function requireTarget(
  { db }: Pick<Deps, 'db'>,
  caller: Member,
  input: { cid?: string | undefined; asset_id?: number | undefined; group_id?: number | undefined },
  needed: readonly ['readFile', 'readFolder'] | readonly ['createFile', 'createFolder'],
): Promise<Found> {
  if (input.cid !== undefined) {
    if (input.group_id !== undefined) throw new AppError('fileAndFolder')
    requirePermission(caller, needed[0])
    const asset = await findAsset(db, caller.userId, readKey(input.cid, input.asset_id))
    if (!asset) throw new AppError('assetUnknown')
    const folders = await findPath(db, caller.userId, asset.folder_id)
    return { target: { cid: asset.cid }, folders, allowed: asset.areas }
  }
  if (input.group_id === undefined) throw new AppError('invalidParams', { field: 'cid, group_id' })
  requirePermission(caller, needed[1])
  const folders = await findPath(db, caller.userId, input.group_id)
  if (folders.length === 0) throw new AppError('folderUnknown')
  return { target: { folderId: input.group_id }, folders, allowed: [] }
}

/** @throws AppError as `requireTarget` */
export async function getAcceleration(
  context: Deps,
  caller: Member,
  lang: Lang,
  input: Parsed<Api['get']>,
): Promise<AccelerationInfo> {
  return describe(context, caller, lang, await requireTarget(context, caller, input, ['readFile', 'readFolder']))
}

/**
 * Turns acceleration on or off. Turning it off works with every plan.
 * @param ip where the owner is, if nothing else says where readers will be
 * @throws AppError as `requireTarget`, and accelerationPlan, tooManyAccelerated, tooManyAreas; noArea for an unknown country
 */
export async function setAcceleration(
  context: Deps,
  caller: Member,
  { lang, ip }: { lang: Lang; ip: string },
  { on, areas: listed, ...input }: Parsed<Api['set']>,
): Promise<AccelerationInfo> {
  const found = await requireTarget(context, caller, input, ['createFile', 'createFolder'])
  const areas = listed && readAreas(listed)
  if (areas && areas.length > NEAR_AREAS_MAX) throw new AppError('tooManyAreas', { max: NEAR_AREAS_MAX })
  if (areas?.some((area) => !isCountry(area))) throw new AppError('noArea')
  const country = on ? ((await countryOfReader(context, ip)) ?? '') : ''
  const at = now(context)
  await context.db.transaction(async (tx) => {
    const account = await lockAccountForUpdate(tx, caller.userId)
    if (!on) {
      await repository.turnOff(tx, caller.userId, found.target, at)
      return
    }
    if (!account.vip) throw new AppError('accelerationPlan')
    if (
      !(await repository.findSwitch(tx, caller.userId, found.target)) &&
      (await repository.countSwitches(tx, caller.userId)) >= ACCELERATIONS_MAX
    )
      throw new AppError('tooManyAccelerated', { max: ACCELERATIONS_MAX })
    await repository.turnOn(tx, caller.userId, found.target, { areas, country, at })
  })
  return describe(context, caller, lang, found)
}

export async function listAccelerations({ db }: Pick<Deps, 'db'>, caller: Member): Promise<Output<Api['list']>> {
  const rows = await repository.listSwitches(db, caller.userId)
  const plan = (await plansOf(db, [caller.userId])).get(caller.userId)
  return {
    list: rows.map(({ cid, folder_id, name, started_at, ends_at }) => ({
      cid: cid ?? '',
      group_id: folder_id ?? 0,
      name,
      started_at: started_at.toISOString(),
      ends_at: ends_at?.toISOString() ?? null,
    })),
    used_bytes: await repository.usedBytes(db, caller.userId, NEAR_COPIES),
    limit_bytes: copiesLimit(plan),
  }
}

async function describe(context: Deps, caller: Member, lang: Lang, found: Found): Promise<AccelerationInfo> {
  const { db } = context
  const { userId } = caller
  const at = now(context)
  const { target, folders } = found
  const own = await repository.findSwitch(db, userId, target)
  const above = (
    await repository.findFolderSwitches(
      db,
      userId,
      folders.map(({ id }) => id),
    )
  ).filter(({ folder_id }) => !('folderId' in target) || folder_id !== target.folderId)
  const through = above[0] && folders.find(({ id }) => id === above[0]?.folder_id)
  const on = own !== undefined || above.length > 0
  const cids = repository.cidsOf(
    userId,
    'cid' in target ? target : { folderIds: await findTree(db, userId, target.folderId) },
  )
  const rows = on ? await repository.findNearOf(db, userId, cids) : []
  const stored = new Map(
    (await placement.countStoredIn(db, rows)).map((row) => [`${row.cid} ${row.country}`, row] as const),
  )
  const plan = (await plansOf(db, [userId])).get(userId)
  const used = await repository.usedBytes(db, userId, NEAR_COPIES)
  const readers = await repository.findReaderCountries(db, userId, cids, at, AREAS_SHOWN)
  const measured = await repository.findMeasured(db, userId, cids, at, AREAS_SHOWN)
  const near = summarize(rows, stored, lang)
  return {
    on,
    included: plan?.vip === true,
    state: stateOf({
      on,
      near,
      full: used >= copiesLimit(plan),
      known: readers.length > 0,
      // Downloads count as accelerated from then on.
      ready: rows.every(({ ready_at }) => ready_at !== null),
    }),
    started_at: (own ?? above[0])?.started_at.toISOString() ?? null,
    ends_at: (own ?? above[0])?.ends_at?.toISOString() ?? null,
    through: !own && through ? { ID: through.id, Name: through.name } : null,
    areas: own?.areas ?? [],
    near,
    unserved: await unserved(context, found, [...new Set([...(own?.areas ?? []), ...readers])], { lang, at }),
    cost: {
      extra_bytes: await extraBytes(context, rows),
      copied_bytes: rows.reduce((sum, row) => sum + copiedBytes(row, stored.get(`${row.cid} ${row.country}`)), 0),
      used_bytes: used,
      limit_bytes: copiesLimit(plan),
    },
    measures: measuresOf(measured, lang),
  }
}

type Stored = ReadonlyMap<string, { stored: number }>

function summarize(rows: readonly repository.NearRow[], stored: Stored, lang: Lang): AccelerationInfo['near'] {
  const byCountry = new Map<
    string,
    { readers: Set<string>; cause: repository.NearRow['cause']; copies: number; files: number }
  >()
  for (const { cid, country, readers, cause } of rows) {
    const area = byCountry.get(country) ?? { readers: new Set<string>(), cause, copies: 0, files: 0 }
    byCountry.set(country, area)
    for (const reader of readers) area.readers.add(reader)
    area.files += 1
    area.copies += Math.min(NEAR_COPIES, stored.get(`${cid} ${country}`)?.stored ?? 0)
  }
  return [...byCountry]
    .sort((a, b) => b[1].files - a[1].files)
    .map(([area, { readers, cause, copies, files }]) => ({
      area,
      name: areaName(area, lang),
      readers: [...readers].map((reader) => areaName(reader, lang)),
      cause,
      copies,
      wanted: files * NEAR_COPIES,
    }))
}

function stateOf({
  on,
  near,
  full,
  known,
  ready,
}: Pick<AccelerationInfo, 'on' | 'near'> & Record<'full' | 'known' | 'ready', boolean>): AccelerationState {
  if (!on) return 'off'
  if (near.length === 0) return full ? 'limited' : known ? 'warming' : 'waiting'
  return ready && near.every(({ copies }) => copies > 0) ? 'active' : 'warming'
}

/** The names of the areas with readers that no suitable node is near to. */
async function unserved(
  context: Deps,
  { allowed }: Found,
  readers: readonly string[],
  { lang, at }: { lang: Lang; at: Date },
): Promise<string[]> {
  const nearest = await nearestTo(context, readers, at)
  return readers.filter((reader) => nearest(reader, allowed) === undefined).map((reader) => areaName(reader, lang))
}

/** Bytes of the copies beyond those that every content has. */
async function extraBytes(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  rows: readonly repository.NearRow[],
): Promise<number> {
  const areas = new Map<string, number>()
  for (const { cid } of rows) areas.set(cid, (areas.get(cid) ?? 0) + 1)
  const contents = await placement.countStored(db, [...areas.keys()])
  return contents.reduce(
    (sum, { cid, size, stored }) =>
      sum + size * Math.max(0, Math.min(stored - config.replicas, NEAR_COPIES * (areas.get(cid) ?? 0))),
    0,
  )
}

function measuresOf(rows: readonly repository.MeasuredRow[], lang: Lang): AccelerationInfo['measures'] {
  const countries = [...new Set(rows.map(({ country }) => country))]
  return countries.map((area) => {
    const days = rows.filter(({ country }) => country === area)
    const side = (accelerated: boolean) => {
      const of = days.filter((day) => day.accelerated === accelerated)
      const firstBytes = addCounts(
        FIRST_BYTE,
        of.map(({ first_bytes }) => first_bytes),
      )
      const rates = addCounts(
        RATE,
        of.map((day) => day.rates),
      )
      const enough = (counts: readonly number[]) => total(counts) >= ACCELERATION_SAMPLES_MIN
      return {
        samples: total(firstBytes),
        first_byte: enough(firstBytes) ? medianOf(FIRST_BYTE, firstBytes) : null,
        rate: enough(rates) ? medianOf(RATE, rates) : null,
      }
    }
    return {
      area,
      name: areaName(area, lang),
      before: side(false),
      after: side(true),
      days: days.flatMap(({ day: date, accelerated, first_bytes, rates }) => {
        const first_byte = medianOf(FIRST_BYTE, first_bytes)
        if (first_byte === null) return []
        return [{ date, accelerated, samples: total(first_bytes), first_byte, rate: medianOf(RATE, rates) }]
      }),
    }
  })
}
