import { contract, type OperationName, type Route, type TeamEventKind } from '@tidenet/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import { insertEvent } from './repository.ts'

/** What the activity of a team calls each operation that changes something. */
export const EVENT_OF: Partial<Record<OperationName, TeamEventKind>> = {
  'assets.create': 'file.upload',
  'assets.rename': 'file.rename',
  'assets.move': 'file.move',
  'assets.remove': 'file.remove',
  'assets.extend': 'setting.change',
  'folders.create': 'folder.create',
  'folderUploads.folders': 'folder.create',
  'folderUploads.create': 'file.upload',
  'imports.url': 'file.upload',
  'imports.cid': 'file.upload',
  'imports.s3': 'file.upload',
  'folders.rename': 'folder.rename',
  'folders.move': 'folder.move',
  'folders.remove': 'folder.remove',
  'folders.moveMany': 'file.move',
  'trash.put': 'file.remove',
  'trash.restore': 'trash.restore',
  'abuse.object': 'file.object',
  'trash.remove': 'trash.delete',
  'trash.empty': 'trash.delete',
  'versions.restore': 'file.upload',
  'versions.remove': 'file.remove',
  'versions.undelete': 'trash.restore',
  'shares.create': 'share.create',
  'shares.update': 'share.change',
  'shares.setStatus': 'share.change',
  'shares.revoke': 'share.remove',
  'shortLinks.create': 'share.create',
  'shortLinks.update': 'share.change',
  'shortLinks.revoke': 'share.remove',
  'shortLinks.restore': 'share.create',
  'publications.create': 'file.publish',
  'publications.remove': 'file.unpublish',
  'publications.createFolder': 'file.publish',
  'publications.removeFolder': 'file.unpublish',
  'apiKeys.create': 'key.change',
  'apiKeys.change': 'key.change',
  'apiKeys.rotate': 'key.change',
  'apiKeys.remove': 'key.change',
  'apiKeys.restore': 'key.change',
  'webhooks.create': 'webhook.change',
  'webhooks.change': 'webhook.change',
  'webhooks.rotate': 'webhook.change',
  'webhooks.remove': 'webhook.change',
  'acceleration.set': 'setting.change',
  'folders.encrypt': 'setting.change',
  's3.createBucket': 'folder.create',
  's3.removeBucket': 'folder.remove',
  's3.put': 'file.upload',
  's3.copy': 'file.upload',
  's3.remove': 'file.remove',
  's3.changeSettings': 'setting.change',
  's3.removeVersions': 'file.remove',
  's3.setTags': 'setting.change',
  'thirdParty.choose': 'setting.change',
}

/** The fields of inputs that name what a call is about, best first. */
const NAMES = ['new_name', 'asset_name', 'key_name', 'name', 'asset_cid', 'cid', 'group_id', 'id', 'bucket'] as const
const TARGET_MAX = 300

const acting = new WeakMap<FastifyRequest, Member>()

/** Remembers for which team a request acts. */
export const noteActing = (request: FastifyRequest, member: Member): void => {
  acting.set(request, member)
}

/** Records every successful change that a member makes for a team. A failure to record does not undo the change. */
export function recordChanges(app: FastifyInstance, context: Pick<Context, 'db' | 'clock' | 'log'>): void {
  app.addHook('onSend', async (request, _, payload) => {
    const member = acting.get(request)
    const operation = request.routeOptions.config.operation as OperationName | undefined
    const kind = operation && EVENT_OF[operation]
    if (!member?.actor || !kind || typeof payload !== 'string' || !payload.startsWith('{"code":0')) return payload
    const event = {
      teamId: member.userId,
      at: now(context),
      actor: member.actor,
      kind,
      target: targetOf(operation, request),
    }
    await insertEvent(context.db, event).catch((error: unknown) =>
      context.log.error({ err: error, operation }, 'the activity of a team was not recorded'),
    )
    return payload
  })
}

/** By the fields that the operation reads: a member must not be able to name something else. */
function targetOf(operation: OperationName, request: FastifyRequest): string {
  const [module, name] = operation.split('.') as [keyof typeof contract, string]
  const { input } = (contract[module] as Record<string, Route>)[name] as Route
  const { data } = input.safeParse({ ...(request.query as object), ...(request.body as object | null) })
  const given = (data ?? {}) as Record<string, unknown>
  const items = ['assets', 'folders', 'ids', 'paths', 'files', 'keys'].flatMap((field) =>
    Array.isArray(given[field])
      ? given[field].map((item: { asset_name?: string; key?: string } | null) => item?.asset_name ?? item?.key ?? item)
      : [],
  )
  if (items.length > 0) return items.length === 1 ? String(items[0]).slice(0, TARGET_MAX) : `× ${items.length}`
  for (const field of NAMES) {
    const value = given[field]
    if ((typeof value === 'string' && value !== '') || typeof value === 'number')
      return String(value).slice(0, TARGET_MAX)
  }
  return ''
}
