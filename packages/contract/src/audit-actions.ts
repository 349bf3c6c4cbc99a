/** Every action in the audit log. */
export const AUDIT_ACTIONS = [
  'account.create',
  'account.role',
  'account.vip',
  'account.quota',
  'account.lock',
  'account.unlock',
  'points.grant',
  'password.set',
  'session.end',
  'session.endAll',
  'key.create',
  'key.remove',
  'wallet.bind',
  'wallet.unbind',
  'identity.add',
  'identity.remove',
  'passkey.add',
  'passkey.rename',
  'passkey.remove',
  'passkey.require',
  'totp.on',
  'totp.off',
  'recovery.make',
  'recovery.use',
  'device.link',
  'device.unlink',
  'device.rename',
  'share.create',
  'share.change',
  'share.remove',
  'console.password',
  'console.enter',
  'workload.deploy',
  'workload.change',
  'workload.remove',
  'node.out',
  'node.back',
  'node.note',
  'node.region',
  'lead.change',
  'support.change',
  'dispute.change',
  'mail.resend',
  'audit.export',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const AUDIT_RESULTS = ['done', 'refused'] as const
export type AuditResult = (typeof AUDIT_RESULTS)[number]

/** How the actor was authenticated; `proof`: by a verification code or a wallet, without a session. */
export const AUDIT_VIA = ['session', 'key', 'proof', 'system'] as const
export type AuditVia = (typeof AUDIT_VIA)[number]
