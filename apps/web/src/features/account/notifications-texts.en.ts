import type { NoticeKind } from '@tidenet/contract'

export const texts = {
  intro: (email: string) => `What we tell you, and where. E-mails go to ${email}. For teams, their owners are told.`,
  noEmail: 'This account has no e-mail address, so it gets no e-mails. Add one in your account.',
  failed: 'The settings could not be loaded.',
  columns: { kind: 'About', email: 'E-mail', portal: 'In the portal' },
  byEmail: (kind: string) => `${kind}: by e-mail`,
  inPortal: (kind: string) => `${kind}: in the portal`,
  always: 'Always',
  onItsPage: 'On its page',
  kinds: {
    security: {
      name: 'Security',
      text: 'Changes of sign-in methods and of the e-mail address. They cannot be switched off.',
    },
    ending: { name: 'Files that expire', text: 'Files and third-party replicas that are deleted soon.' },
    usage: { name: 'Usage', text: 'When 80 % or all of the storage or download traffic of your plan is used.' },
    orders: { name: 'Orders', text: 'Containers that expire, are renewed or fail, and refunds.' },
    devices: { name: 'Devices', text: 'Own devices that go offline, come back, are outdated or fail checks.' },
    earnings: { name: 'Weekly earnings', text: 'On Mondays, what your devices earned.' },
    teams: {
      name: 'Team invitations',
      text: 'When somebody invites you. Invitations are also listed on the teams page.',
    },
    uploads: { name: 'Received files', text: 'Files that visitors upload by your links; many files in one e-mail.' },
    webhooks: { name: 'Webhooks', text: 'Webhooks that were switched off because they fail.' },
    support: { name: 'Support', text: 'Answers in the chat that you have not read.' },
  } satisfies Record<NoticeKind, { name: string; text: string }>,
  unsubscribe: {
    text: (kind: string) => `Turn off e-mails about “${kind}” for your Tidenet account?`,
    go: 'Turn off these e-mails',
    off: (kind: string) => `You no longer get e-mails about “${kind}”.`,
    undo: 'Turn on again',
    on: (kind: string) => `E-mails about “${kind}” are on.`,
    all: 'All notification settings',
    noToken: 'This address is not complete. Open the complete link from the e-mail.',
  },
}

export type Texts = typeof texts
