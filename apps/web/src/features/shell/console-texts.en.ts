/** Texts of the console's frame. */
export const texts = {
  consoleMenu: 'Console',
  storage: 'Storage',
  container: 'Containers',
  claim: 'Claim test coin',
  buy: 'Buy resources',
  use: 'Use resources',
  feedback: 'Feedback',
  accountId: 'Account ID',
  copyAccountId: 'Copy account ID',
  copyAddress: 'Copy wallet address',
  vip: 'VIP',
  enterprise: 'Enterprise',
  palette: 'Search',
  online: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'node' : 'nodes'} online`,
  support: 'Contact support',
}

export type Texts = typeof texts
