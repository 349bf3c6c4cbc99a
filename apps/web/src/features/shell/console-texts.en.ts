/** What only the frame of the console says. */
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
  vip: 'VIP',
  palette: 'Search',
  online: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'node' : 'nodes'} online`,
  support: 'Write to us',
  elsewhere: 'Elsewhere',
  social: {
    chat: 'Chat room',
    x: 'X',
    telegram: 'Telegram',
    blog: 'Blog',
    hub: 'All links',
    discussions: 'Discussions',
  },
}

export type Texts = typeof texts
