/**
 * Kinds of notices to an account. `security`: changes of sign-in methods, the e-mail address and the account; `ending`: files and third-party
 * replicas that expire; `usage`: a quota is nearly or completely used; `orders`: containers and their payments; `programs`: of
 * one's workspaces that fail or lack disk or memory; `devices`: own devices;
 * `blocks`: own files that operators blocked, and answers to objections; `earnings`: the weekly summary; `uploads`: files that visitors sent by a link; `teams`: invitations; `webhooks`: switched off after failures; `support`: answers.
 */
export const NOTICE_KINDS = [
  'security',
  'ending',
  'usage',
  'orders',
  'programs',
  'devices',
  'blocks',
  'earnings',
  'teams',
  'webhooks',
  'uploads',
  'support',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** Kinds that an account can switch off. */
export const OPTIONAL_NOTICES = NOTICE_KINDS.filter(
  (kind): kind is Exclude<NoticeKind, 'security'> => kind !== 'security',
)
export type OptionalNotice = (typeof OPTIONAL_NOTICES)[number]

/** Kinds that are sent by e-mail only: the portal has a page that shows them anyway. */
export const EMAIL_ONLY_NOTICES = [
  'blocks',
  'earnings',
  'programs',
  'teams',
  'uploads',
] as const satisfies readonly OptionalNotice[]
