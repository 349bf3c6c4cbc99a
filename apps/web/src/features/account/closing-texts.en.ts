import type { Obligation } from '@tidenet/contract'

export const texts = {
  failed: 'What would be deleted could not be loaded.',
  intro:
    'Your account is deleted seven days after you ask for it. Until then you can undo it: sign in and choose “Keep the account”.',
  at: 'When you ask for it',
  atOnce: [
    'Your shares end, and API keys stop working.',
    'All other sessions, and the container console, are signed out.',
    'You get an e-mail about it.',
  ] as readonly string[],
  after: 'After seven days, for good',
  deleted: (files: string, folders: string, size: string) =>
    `${files} and ${folders}, ${size}, also in the trash and in copies on nodes.`,
  files: (count: number) => (count === 1 ? '1 file' : `${count} files`),
  folders: (count: number) => (count === 1 ? '1 folder' : `${count} folders`),
  deletedMore: [
    'Links, API keys, webhooks and their deliveries.',
    'Transfers, usage and delivery statistics.',
    'Messages to support with attachments, recordings and transcripts.',
    'Your e-mail address, password, passkeys, wallets and sign-in services. You can use them for a new account; wallets after a day.',
  ] as readonly string[],
  devices: (count: number) =>
    count === 1
      ? 'Your device is unlinked; it keeps running.'
      : `Your ${count} devices are unlinked; they keep running.`,
  stays: 'What must stay, and why',
  staying: [
    'Orders and their payments, without your e-mail address: records of money.',
    'Exchanges, refunds and payouts of coins, without a link to your account: records of money.',
    'Receipts in the public log, which carry the account ID: the log can only grow, which is what makes it provable.',
    'Transactions on the chain: nobody can delete them.',
    'Changes to the account in the audit log, with account ID and IP address: not even operators can change it.',
    'Copies that you gave away: people who downloaded your files keep them, and third parties may keep their copies.',
  ] as readonly string[],
  exportFirst: 'Export your data and download your files first if you still need them.',
  toFiles: 'Open my files',
  blocked: 'First finish these, so that nothing is lost:',
  obligations: {
    orders: (count) =>
      count === 1
        ? 'One order is in use. End it to get the rest of its price back.'
        : `${count} orders are in use. End them to get the rest of their price back.`,
    exchanges: (count) => (count === 1 ? 'One exchange has not ended.' : `${count} exchanges have not ended.`),
    payouts: (count) =>
      count === 1 ? 'One payout is on its way to your wallet.' : `${count} payouts are on their way to your wallet.`,
    teams: (count) =>
      count === 1
        ? 'You are the only owner of a team. Make another member an owner, or delete the team.'
        : `You are the only owner of ${count} teams. Make other members owners, or delete the teams.`,
    workspaces: (count) =>
      count === 1
        ? 'One workspace is kept until its order has expired for three days; the deletion waits for that.'
        : `${count} workspaces are kept until their orders have expired for three days; the deletion waits for that.`,
  } satisfies Record<Obligation, (count: number) => string>,
  toTeams: 'Open my teams',
  toOrders: 'Open my orders',
  points: (count: string) => `You have ${count} points. Redeem them first, or give them up.`,
  givePoints: (count: string) => `I give up my ${count} points`,
  toPoints: 'Redeem points',
  typeTo: (name: string) => `Type ${name} to confirm`,
  wrong: 'What you typed does not match.',
  agree: 'Agree to give up your points, or redeem them first.',
  go: 'Delete my account in seven days',
  started: 'Your account is scheduled for deletion.',
  scheduled: (when: string) => `Scheduled for deletion on ${when}`,
  scheduledText: 'Until then, shares and API keys do not work. After that, everything is deleted for good.',
  keep: 'Keep the account',
  kept: 'Your account is kept. Shares and API keys work again.',
  details: 'What is deleted',
}

export type Texts = typeof texts
