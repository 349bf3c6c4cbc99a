import type { Feature } from '../platform/feature.ts'
import * as abuse from './abuse/cases-repository.ts'
import { tellOwnersHandler } from './abuse/owners.ts'
import * as blockedOwners from './abuse/owners-repository.ts'
import { mailOperators } from './abuse/reports.ts'
import { serveAbuse } from './abuse/routes.ts'
import { serveAdmin } from './admin/routes.ts'
import { recordHour } from './admin/trends.ts'
import * as trends from './admin/trends-repository.ts'
import { serveAnalytics } from './analytics/routes.ts'
import { countWaiting } from './chat/desk.ts'
import { closeIdle } from './chat/idle.ts'
import { mailAnswers } from './chat/mails.ts'
import * as chat from './chat/repository.ts'
import { serveChat } from './chat/routes.ts'
import type { Context } from './context.ts'
import * as leads from './leads/repository.ts'
import { serveLeads } from './leads/routes.ts'
import { serveSupports } from './supports/routes.ts'

export const operator: readonly Feature<Context>[] = [
  { name: 'leads', serve: serveLeads, expired: leads.expired },
  {
    name: 'abuse',
    serve: serveAbuse,
    jobs: [tellOwnersHandler],
    tasks: [{ name: 'abuse-mails', every: { usual: 5 * 60_000, quick: 1000 }, run: mailOperators }],
    expired: abuse.expired,
    erase: ({ id }) => blockedOwners.erased(id),
    exported: ({ id }) => [{ name: 'blocked_files', rows: blockedOwners.exported(id) }],
  },
  { name: 'supports', serve: serveSupports },
  {
    name: 'chat',
    serve: serveChat,
    tasks: [
      { name: 'chat-mails', role: 'jobs', every: { usual: 10_000, quick: 500 }, run: mailAnswers },
      { name: 'chat-idle', role: 'jobs', every: { usual: 10 * 60_000, quick: 10_000 }, run: closeIdle },
    ],
    expired: chat.expired,
    erase: ({ id }) => chat.erased(id),
    exported: ({ id }) => [{ name: 'messages_to_support', personal: true, rows: chat.exported(id) }],
  },
  { name: 'analytics', serve: serveAnalytics },
  {
    name: 'admin',
    serve: (serving, context) => serveAdmin(serving, context, countWaiting),
    tasks: [{ name: 'operator-hours', every: { usual: 5 * 60_000, quick: 10_000 }, run: recordHour }],
    expired: trends.expired,
  },
]
