import {
  AppError,
  contract,
  type ErrorKey,
  FOLDER_SCOPE,
  type OperationName,
  type Route,
  type ScopedField,
} from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import type { Caller, Member } from '../../platform/http/callers.ts'
import type { CallInput } from '../../platform/http/serving.ts'
import { findAssetWithin } from '../assets/assets.ts'
import type { Context } from '../context.ts'
import * as repository from '../folder-scope/scope.ts'
import { findTarget } from '../shares/targets.ts'

type Scoped = Pick<Member, 'userId'> & { folders: readonly number[] }

/**
 * Refuses a call of an API key that is limited to folders if a field names something outside. What does not exist and what is outside
 * get the same answer.
 *
 * The check precedes the handler and its transaction. That is enough: nothing leaves the key's folders by calls of the key, and a call
 * during which the owner moves an item out of them has the result of a call just before.
 * @returns the input, in which a CID is completed by the id of the entry that it names below the key's folders
 * @throws AppError assetUnknown, folderUnknown, notFound; or keyFolders if the operation does not declare that error
 */
export async function requireWithinFolders(
  { db }: Pick<Context, 'db'>,
  operation: OperationName,
  caller: Caller,
  input: CallInput,
): Promise<CallInput> {
  if (caller.kind !== 'member' || !caller.folders) return input
  const fields = FOLDER_SCOPE[operation] as Readonly<Record<string, ScopedField>> | undefined
  if (!fields) throw new AppError('keyFolders')
  const call = { db, operation, caller: { userId: caller.userId, folders: caller.folders } }
  let entry: number | undefined
  for (const [field, value] of Object.entries(input)) {
    const names = valuesOf(value)
    const kind = fields[field]
    if (names.length === 0 || kind === 'entry') continue
    const found = await requireField(call, kind, names, entryOf(fields, input))
    entry ??= found
  }
  // The handler uses exactly this entry, whatever else happens to the content meanwhile.
  const entryField = Object.keys(fields).find((field) => fields[field] === 'entry')
  return entryField === undefined ? input : { ...input, [entryField]: entry }
}

/** Absent fields and empty texts name nothing. */
const valuesOf = (value: unknown): unknown[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => each !== undefined && each !== null && each !== '')

/** The id by which the call names an entry. */
function entryOf(fields: Readonly<Record<string, ScopedField>>, input: CallInput): number | undefined {
  const field = Object.keys(input).find((each) => fields[each] === 'entry')
  const value = field === undefined ? undefined : input[field]
  return value === undefined || value === null ? undefined : Number(value)
}

interface ScopedCall {
  db: Db
  operation: OperationName
  caller: Scoped
}

/** @returns the entry that the field names */
async function requireField(
  call: ScopedCall,
  kind: ScopedField | undefined,
  values: readonly unknown[],
  assetId: number | undefined,
): Promise<number | undefined> {
  const { db, caller } = call
  switch (kind) {
    case 'free':
    case 'found':
      return undefined
    case 'root':
    case 'place': {
      const ids = values.map(Number).filter((id) => kind === 'place' || id !== 0)
      return requireAll(call, await repository.findPlaces(db, caller, ids), ids, 'folderUnknown')
    }
    case 'folder': {
      const ids = values.map(Number)
      return requireAll(call, await repository.findFoldersBelow(db, caller, ids), ids, 'folderUnknown')
    }
    case 'asset':
      return requireTarget(call, 'asset', String(values[0]), assetId)
    case 'target':
      return requireTarget(call, 'any', String(values[0]), assetId)
    case 'link': {
      const link = await repository.findTargetOfLink(db, caller.userId, String(values[0]))
      if (!link) throw refusalOf(call.operation, 'notFound')
      await requireTarget(call, 'any', link.target, link.asset_id ?? undefined, 'notFound')
      return undefined
    }
    case 'trash': {
      const ids = values.map(Number)
      return requireAll(call, await repository.findTrashBelow(db, caller, ids), ids, 'notFound')
    }
    // `absent`, and fields that the contract does not know.
    default:
      throw new AppError('keyFolders')
  }
}

function requireAll<T>(
  { operation }: ScopedCall,
  found: ReadonlySet<T>,
  asked: readonly T[],
  key: ErrorKey,
): undefined {
  if (!asked.every((each) => found.has(each))) throw refusalOf(operation, key)
}

/** @param key the error if it is outside; by default that of its kind */
async function requireTarget(
  { db, operation, caller }: ScopedCall,
  kind: 'asset' | 'any',
  text: string,
  assetId: number | undefined,
  key?: ErrorKey,
): Promise<number | undefined> {
  const target = findTarget(text, assetId)
  if (target?.kind === 'asset') {
    const asset = await findAssetWithin(db, caller, target)
    if (!asset) throw refusalOf(operation, key ?? 'assetUnknown')
    return asset.id
  }
  const within = target && kind === 'any' && (await repository.findFoldersBelow(db, caller, [target.folderId])).size > 0
  if (!within) throw refusalOf(operation, key ?? (target && kind === 'any' ? 'folderUnknown' : 'assetUnknown'))
  return undefined
}

/** Operations answer with the errors that they declare. */
function refusalOf(operation: OperationName, key: ErrorKey): AppError {
  const [module, name] = operation.split('.') as [keyof typeof contract, string]
  const { errors } = (contract[module] as Record<string, Route>)[name] as Route
  const declared = errors.includes(key) ? key : errors.includes('notFound') ? 'notFound' : 'keyFolders'
  return new AppError(declared as 'notFound')
}
