import { AppError, type contract, type Output, type Parsed, VAULT_WAYS_MAX } from '@tidenet/contract'
import { lockAccountForUpdate, requireRecentAuth } from '../../identity/index.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, type Db, now } from '../context.ts'
import * as repository from './repository.ts'
import { isWrap } from './wraps.ts'

type Vault = (typeof contract)['vault']
type Deps = Pick<Context, 'db' | 'clock'>
type From = { ip: string }

/** The vault with its wrapped keys, which only the account gets. */
export async function vaultInfo({ db }: Pick<Context, 'db'>, caller: Member): Promise<Output<Vault['info']>> {
  const row = await repository.findVault(db, caller.userId)
  const ways = row ? await repository.findWays(db, caller.userId) : []
  return {
    vault: row
      ? {
          recipient: row.recipient,
          created_at: row.created_at.toISOString(),
          ways: ways.map((way) => ({ ...way, created_at: way.created_at.toISOString() })),
        }
      : null,
    ...(await repository.countEncrypted(db, caller.userId)),
  }
}

/** @throws AppError vaultMissing */
export async function requireVault(db: Db, userId: number): Promise<void> {
  if (!(await repository.findVault(db, userId))) throw new AppError('vaultMissing')
}

/** The kit and one more: losing either of them loses nothing. */
const areEnough = (ways: readonly Pick<repository.WayRow, 'kind'>[]): boolean =>
  ways.filter(({ kind }) => kind === 'kit').length === 1 && ways.length >= 2

function requireWrap(way: Pick<repository.NewWay, 'kind' | 'wrap' | 'credential'>): void {
  if (!isWrap(way.kind, way.wrap) || (way.kind === 'passkey') !== (way.credential !== ''))
    throw new AppError('vaultWrap')
}

/** @throws AppError recentAuthRequired, vaultExists, vaultWays, vaultWrap, tooManyVaultWays */
export async function createVault(
  context: Deps,
  caller: Member,
  { recipient, ways }: Parsed<Vault['create']>,
  from: From,
): Promise<void> {
  await requireRecentAuth(context, caller)
  for (const way of ways) requireWrap(way)
  if (!areEnough(ways)) throw new AppError('vaultWays')
  if (ways.length > VAULT_WAYS_MAX) throw new AppError('tooManyVaultWays', { max: VAULT_WAYS_MAX })
  const at = now(context)
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    if ((await repository.insertVault(tx, caller.userId, recipient, at)) === 0) throw new AppError('vaultExists')
    for (const way of ways) await repository.insertWay(tx, caller.userId, way, at)
    await record(tx, context, caller, from, 'vault.create', { ways: ways.map(({ kind }) => kind) })
  })
}

/** @throws AppError recentAuthRequired, vaultMissing, vaultChanged, vaultWayUnknown, vaultWrap, tooManyVaultWays */
export async function addWay(
  context: Deps,
  caller: Member,
  { recipient, way, replaces }: Parsed<Vault['addWay']>,
  from: From,
): Promise<{ id: number }> {
  await requireRecentAuth(context, caller)
  requireWrap(way)
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const vault = await repository.findVault(tx, caller.userId)
    if (!vault) throw new AppError('vaultMissing')
    if (vault.recipient !== recipient) throw new AppError('vaultChanged')
    const ways = await repository.findWays(tx, caller.userId)
    const replaced = ways.find(({ id, kind }) => kind === way.kind && (way.kind === 'kit' || id === replaces))
    if (replaces !== undefined && replaced?.id !== replaces) throw new AppError('vaultWayUnknown')
    if (!replaced && ways.length >= VAULT_WAYS_MAX) throw new AppError('tooManyVaultWays', { max: VAULT_WAYS_MAX })
    if (replaced) await repository.deleteWay(tx, caller.userId, replaced.id)
    const id = await repository.insertWay(tx, caller.userId, way, now(context))
    await record(tx, context, caller, from, 'vault.addWay', { way: id, kind: way.kind, replaces: replaced?.id ?? null })
    return { id }
  })
}

/** @throws AppError recentAuthRequired, vaultWayUnknown; vaultWays if the kit or the only other way would go */
export async function removeWay(context: Deps, caller: Member, id: number, from: From): Promise<void> {
  await requireRecentAuth(context, caller)
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const ways = await repository.findWays(tx, caller.userId)
    const way = ways.find((each) => each.id === id)
    if (!way) throw new AppError('vaultWayUnknown')
    if (!areEnough(ways.filter((each) => each !== way))) throw new AppError('vaultWays')
    await repository.deleteWay(tx, caller.userId, id)
    await record(tx, context, caller, from, 'vault.removeWay', { way: id, kind: way.kind })
  })
}

/**
 * Removes the vault with all ways. Folders stay encrypted: they accept files for the next vault.
 * @throws AppError recentAuthRequired, vaultMissing; vaultInUse without `lose_files` if something may need it
 */
export async function removeVault(
  context: Deps,
  caller: Member,
  { lose_files }: Parsed<Vault['remove']>,
  from: From,
): Promise<void> {
  await requireRecentAuth(context, caller)
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const { folders, files } = await repository.countEncrypted(tx, caller.userId)
    if (!lose_files && folders + files > 0) throw new AppError('vaultInUse')
    if ((await repository.deleteVault(tx, caller.userId)) === 0) throw new AppError('vaultMissing')
    await record(tx, context, caller, from, 'vault.remove', { folders, files })
  })
}

type Action = 'vault.create' | 'vault.addWay' | 'vault.removeWay' | 'vault.remove'

const record = (tx: Db, context: Deps, caller: Member, from: From, action: Action, detail: Record<string, unknown>) =>
  audit(tx, context, caller, from, { action, subject: `user:${caller.uid}`, detail })
