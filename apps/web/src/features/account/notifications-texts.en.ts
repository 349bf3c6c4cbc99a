import type { NoticeKind } from '@tidenet/contract'

export const texts = {
  intro: (email: string) =>
    `Choose which notifications you get, and where. E-mails go to ${email}. Notifications about a team go to its owners.`,
  noEmail: 'This account has no e-mail address, so it gets no e-mails. Add an address on your account page.',
  failed: 'The settings could not be loaded.',
  columns: { kind: 'Notification', email: 'E-mail', portal: 'In the portal' },
  byEmail: (kind: string) => `${kind}: by e-mail`,
  inPortal: (kind: string) => `${kind}: in the portal`,
  always: 'Always',
  onItsPage: 'On its page',
  kinds: {
    security: {
      name: 'Security',
      text: 'Changes to your sign-in methods and e-mail address. You cannot turn these off.',
    },
    ending: { name: 'Expiring files', text: 'Files and third-party replicas that expire soon.' },
    usage: { name: 'Usage', text: 'When 80 % or all of the storage or download traffic of your plan is used.' },
    orders: { name: 'Orders', text: 'Container orders that expire, are renewed or fail, and refunds.' },
    programs: {
      name: 'Programs',
      text: 'Programs of your workspaces that keep restarting, are unhealthy, or run out of disk or memory.',
    },
    devices: { name: 'Devices', text: 'Your devices that go offline, come back online, are outdated or fail audits.' },
    blocks: {
      name: 'Blocked files',
      text: 'When operators block a file of yours, lift a block or answer your objection.',
    },
    earnings: { name: 'Weekly earnings', text: 'A summary of what your devices earned, every Monday.' },
    teams: {
      name: 'Team invitations',
      text: 'When somebody invites you. Invitations are also listed on the teams page.',
    },
    uploads: {
      name: 'Received files',
      text: 'Files that visitors upload through your upload links. One e-mail covers several files.',
    },
    webhooks: { name: 'Webhooks', text: 'Webhooks that were disabled because deliveries kept failing.' },
    support: { name: 'Support', text: 'Replies in the support chat that you have not read.' },
  } satisfies Record<NoticeKind, { name: string; text: string }>,
  unsubscribe: {
    text: (kind: string) => `Turn off e-mails about “${kind}” for your Tidenet account?`,
    go: 'Turn off these e-mails',
    off: (kind: string) => `You no longer get e-mails about “${kind}”.`,
    undo: 'Turn on again',
    on: (kind: string) => `E-mails about “${kind}” are on.`,
    all: 'All notification settings',
    noToken: 'This link is incomplete. Open the complete link from the e-mail.',
  },
}

export type Texts = typeof texts
