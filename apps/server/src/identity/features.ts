import type { Feature } from '../platform/feature.ts'
import * as accounts from './accounts/closing.ts'
import * as keyCaps from './api-keys/caps-repository.ts'
import * as importTokens from './api-keys/import-tokens.ts'
import * as apiKeys from './api-keys/repository.ts'
import { serveApiKeys, serveS3Access } from './api-keys/routes.ts'
import type { Folders } from './api-keys/service.ts'
import type { Context } from './context.ts'
import * as emails from './emails/repository.ts'
import { type EndConsoleAccess, serveEmails } from './emails/routes.ts'
import * as codes from './entry/codes-repository.ts'
import { serveAccounts } from './entry/routes.ts'
import * as identities from './external-sign-in/repository.ts'
import { serveExternalSignIn } from './external-sign-in/routes.ts'
import * as notifications from './notifications/repository.ts'
import { serveNotifications } from './notifications/routes.ts'
import * as passkeys from './second-factors/passkeys-repository.ts'
import { servePasskeys } from './second-factors/passkeys-routes.ts'
import * as factors from './second-factors/repository.ts'
import { serveSecondFactors } from './second-factors/routes.ts'
import * as sessions from './sessions/repository.ts'
import { serveSessions } from './sessions/routes.ts'
import { renewSessionKeys } from './sessions/session-keys.ts'
import * as teams from './teams/repository.ts'
import { serveTeams } from './teams/routes.ts'
import * as wallets from './wallets/repository.ts'
import { serveWallets } from './wallets/routes.ts'
import { deliverDue } from './webhooks/deliver.ts'
import * as webhooks from './webhooks/repository.ts'
import { serveWebhooks } from './webhooks/routes.ts'

export const identity = (
  storage: Folders,
  compute: { endConsoleAccess: EndConsoleAccess },
): readonly Feature<Context>[] => [
  {
    name: 'session keys',
    // One exists before the first request.
    serve: (_, context) => renewSessionKeys(context),
    tasks: [{ name: 'session-keys', every: { usual: 10 * 60_000, quick: 10_000 }, run: renewSessionKeys }],
  },
  {
    name: 'sessions',
    serve: serveSessions,
    expired: sessions.expired,
    erase: ({ id }) => sessions.erased(id),
    exported: ({ id }) => [
      { name: 'sessions', personal: true, rows: sessions.exportedSessions(id) },
      { name: 'sign_ins', personal: true, rows: sessions.exportedSignIns(id) },
    ],
  },
  {
    name: 'accounts',
    serve: serveAccounts,
    expired: codes.expired,
    exported: ({ id }) => [{ name: 'profile', rows: accounts.exportedProfile(id) }],
  },
  {
    name: 'emails',
    serve: (serving, context) => serveEmails(serving, context, compute.endConsoleAccess),
    expired: emails.expired,
    erase: ({ id }) => emails.erased(id),
    exported: ({ id }) => [{ name: 'email_changes', personal: true, rows: emails.exported(id) }],
  },
  {
    name: 'notifications',
    serve: serveNotifications,
    erase: ({ id }) => notifications.erased(id),
    exported: ({ id }) => [{ name: 'notifications', rows: notifications.exported(id) }],
  },
  {
    name: 'wallets',
    serve: serveWallets,
    expired: wallets.expired,
    erase: ({ id }, at) => wallets.erased(id, at),
    exported: ({ id }) => [{ name: 'wallets', rows: wallets.exported(id) }],
  },
  {
    name: 'identities',
    serve: serveExternalSignIn,
    expired: identities.expired,
    erase: ({ id }) => identities.erased(id),
    exported: ({ id }) => [{ name: 'sign_in_services', personal: true, rows: identities.exported(id) }],
  },
  { name: 'second factors', serve: serveSecondFactors, erase: ({ id }) => factors.erased(id) },
  {
    name: 'passkeys',
    serve: servePasskeys,
    expired: passkeys.expired,
    erase: ({ id }) => passkeys.erased(id),
    exported: ({ id }) => [{ name: 'passkeys', personal: true, rows: passkeys.exported(id) }],
  },
  {
    name: 'api keys',
    serve: (serving, context) => serveApiKeys(serving, context, storage),
    expired: (at) => [...apiKeys.expired(at), ...keyCaps.expired(at)],
    erase: ({ id }) => apiKeys.erased(id),
    exported: ({ id }) => [{ name: 'api_keys', rows: apiKeys.exported(id) }],
  },
  { name: 's3 access', serve: serveS3Access },
  { name: 'import tokens', expired: importTokens.expired, erase: ({ id }) => importTokens.erased(id) },
  {
    name: 'teams',
    serve: serveTeams,
    expired: teams.expired,
    erase: teams.erased,
    exported: ({ id }) => [{ name: 'teams', personal: true, rows: teams.exported(id) }],
  },
  {
    name: 'webhooks',
    serve: serveWebhooks,
    tasks: [{ name: 'webhooks', role: 'jobs', every: { usual: 1000, quick: 200 }, run: deliverDue }],
    expired: webhooks.expired,
    erase: ({ id }) => webhooks.erased(id),
    exported: ({ id }) => [{ name: 'webhooks', rows: webhooks.exported(id) }],
  },
]
