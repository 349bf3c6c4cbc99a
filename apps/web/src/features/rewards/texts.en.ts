import type { PointKind } from '@tidenet/contract'

const points = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'point' : 'points'}`

export const texts = {
  coin: 'TTNT',
  title: 'Rewards',
  intro: 'You can redeem points for TTNT, a test coin without value outside this network.',
  accumulated: 'Accumulated',
  notWithdrawn: 'Not withdrawn',
  withdrawing: 'Withdrawing',
  credited: 'Credited',
  failed: 'Your points could not be loaded.',
  sources: 'Where points come from',
  sourcesText:
    'Devices that you lease out earn points every hour. The operators of this network also grant points, and give a reason each time.',
  toDevices: 'Earnings of my devices',
  noPoints: 'The operators have not granted you any points yet.',
  kinds: { granted: 'Granted' } as Record<PointKind, string>,
  entry: (count: number) => `+${points(count)}`,
  redeem: 'Redeem points',
  amount: 'Points to redeem',
  rate: (rate: string, min: number) => `1 point = ${rate} TTNT. Whole points only, at least ${points(min)} at a time.`,
  receive: (coins: string) => `Your linked wallet receives ${coins} TTNT.`,
  button: 'Redeem',
  taken: (count: number, coins: string) => `${points(count)} redeemed. ${coins} TTNT are being sent.`,
  arrived: 'Your TTNT have arrived',
  problems: {
    whole: () => 'Enter a whole number of points.',
    min: (min: number) => `Redeem at least ${points(min)} at a time.`,
    more: (left: number) => `You have ${points(left)} to redeem.`,
  },
  hindrances: {
    chain: () => 'This portal is not connected to a chain, so points cannot be redeemed yet. You keep your points.',
    coin: () => 'This portal has no coin for redemptions yet. You keep your points.',
    wallet: () => 'To redeem points, link a wallet to your account first.',
    points: (min: number) => `You can redeem ${points(min)} or more.`,
  },
  history: 'Your redemptions',
  historyFailed: 'Your redemptions could not be loaded.',
  noLink: 'not yet',
  none: 'No redemptions yet',
  noneText: 'Your redemptions and their transactions are listed here.',
  time: 'Time',
  points: 'Points',
  coins: 'Coins',
  state: 'Status',
  link: 'Transaction',
  states: { withdrawing: 'Withdrawing', credited: 'Credited' },
}

export type Texts = typeof texts
