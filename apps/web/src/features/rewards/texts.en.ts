import type { PointKind } from '@tidenet/contract'

const points = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'point' : 'points'}`

export const texts = {
  coin: 'TTNT',
  title: 'Rewards',
  intro: 'Points are redeemed for TTNT, a test coin that has no value outside this network.',
  accumulated: 'Accumulated',
  notWithdrawn: 'Not withdrawn',
  withdrawing: 'Withdrawing',
  credited: 'Credited',
  failed: 'Your points could not be loaded.',
  sources: 'Where points come from',
  sourcesText:
    'The operators of this network grant points, each time with a reason. Devices that you lend to the network earn none yet.',
  noPoints: 'No points have come so far.',
  kinds: { granted: 'Granted' } as Record<PointKind, string>,
  entry: (count: number) => `+${points(count)}`,
  redeem: 'Redeem points',
  amount: 'Points to redeem',
  rate: (rate: string, min: number) => `1 point is ${rate} TTNT. Whole points, at least ${points(min)} at once.`,
  receive: (coins: string) => `You receive ${coins} TTNT in your bound wallet.`,
  button: 'Redeem',
  taken: (count: number, coins: string) => `${points(count)} are taken. ${coins} TTNT are on their way.`,
  arrived: 'Your TTNT have arrived',
  problems: {
    whole: () => 'Please enter a whole number of points.',
    min: (min: number) => `At least ${points(min)} are redeemed at once.`,
    more: (left: number) => `You have ${points(left)} to redeem.`,
  },
  hindrances: {
    chain: () => 'This portal has no chain, so points cannot be redeemed here. They are kept.',
    coin: () => 'This portal has no coin that points are redeemed for. Your points are kept.',
    wallet: () => 'Redeeming needs a wallet that is bound to your account.',
    points: (min: number) => `Redeeming begins at ${points(min)}.`,
  },
  history: 'Your redemptions',
  historyFailed: 'Your redemptions could not be loaded.',
  noLink: 'none yet',
  none: 'No redemptions yet',
  noneText: 'Each redemption is listed here with its transaction.',
  time: 'Time',
  points: 'Points',
  coins: 'Coins',
  state: 'State',
  link: 'Transaction',
  states: { withdrawing: 'Withdrawing', credited: 'Credited' },
}

export type Texts = typeof texts
