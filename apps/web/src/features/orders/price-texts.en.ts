const hours = (count: number) => (count === 1 ? '1 hour' : `${count} hours`)

export const texts = {
  eyebrow: 'Prices of containers',
  title: 'Full prices without signing in',
  intro:
    'Choose the size of a machine and a duration. The price shown is the exact price of an order: the amount that the server charges and your wallet signs. Test coins are free and have no value outside this network.',
  calculator: 'Calculator',
  calculatorIntro: 'Prices are in whole coins, rounded up once, at the end.',
  names: { cpu: 'CPU', ram: 'Memory', storage: 'Disk', duration: 'Duration' },
  total: 'Total',
  perHour: (price: string) => `${price} an hour on average`,
  claims: (count: number, amount: string) =>
    count === 1
      ? `One claim of ${amount} pays for it.`
      : `${count} claims of ${amount} each pay for it, one a day: ${count} days of claiming.`,
  how: 'How the price is calculated',
  part: (name: string, amount: string) => `${name}, ${amount}`,
  anHour: 'Machine per hour',
  counted: 'Billed hours',
  countedHours: (count: string) => `× ${count}`,
  factor: 'Share of the list price on this test network',
  rounded: 'Rounded up',
  order: 'Order this machine',
  spans: 'The same machine for longer',
  spansIntro: 'Total prices for up to a month, and what an hour costs.',
  span: 'For',
  spanTotal: (symbol: string) => `Total, ${symbol}`,
  spanHour: (symbol: string) => `An hour, ${symbol}`,
  spanClaims: 'Claims needed',
  tariff: 'Price list',
  tariffIntro: (share: string) =>
    `Each rate applies only to the part of a quantity within its tier, so a larger order never costs less. This network charges ${share} of the list price.`,
  tier: 'Tier',
  rate: 'Rate',
  upTo: (from: string, to: string) => `${from} to ${to}`,
  rates: {
    cpu: (rate: string) => `${rate} an hour for each core`,
    ram: (rate: string) => `${rate} an hour for each GiB`,
    storage: (rate: string) => `${rate} an hour for each GiB`,
    duration: (share: string) => `${share} of the hour`,
  },
  included: 'Fees and refunds',
  rules: (grace: number | undefined, fee: string) =>
    [
      [
        'Chain fee',
        fee === ''
          ? 'Each transaction pays a small fee in the chain’s own coin. Each claim includes some of it.'
          : `Each transaction pays ${fee}. Each claim includes some of this coin.`,
      ],
      ['Less than an hour', 'Counts as a full hour. The shortest order is one hour.'],
      [
        'Early termination',
        'Hours that have not started are refunded: price × unused hours ÷ all hours. The first hour is always charged.',
      ],
      [
        'Renewing',
        'You pay the price of the new total duration minus what you paid so far. At most 720 hours in total.',
      ],
      [
        'Upgrading',
        'You pay the new machine in full, and the unused hours of the old one are refunded in the same transaction.',
      ],
      ['Regions', 'Both regions have the same prices.'],
      [
        'After expiry',
        grace === undefined
          ? 'The workspace stops. Its data is kept for a while at no cost, then deleted.'
          : `The workspace stops. Its data is kept for ${grace} hours at no cost, then deleted.`,
      ],
      ['If the workspace cannot be created', 'The full price is refunded automatically.'],
      [
        'Outages',
        'Our servers check each running workspace about every half minute. If its cluster does not answer for a minute or longer, or has lost a program, that time is paid back to your wallet at the price of its hours, at most what you paid. You do not have to ask for it; a signed receipt states the measured times. Programs that stop or fail by themselves do not count, nor does time in which our servers did not check.',
      ],
    ] as readonly (readonly [string, string])[],
  sold: 'Current availability',
  soldFailed: 'The availability could not be loaded.',
  regions: { distributed: 'Distributed cluster', centralized: 'Centralized cluster' },
  places: { distributed: 'Global', centralized: 'Hong Kong' },
  ready: 'Available',
  notReady: 'Not available right now',
  shared: (status: string, name: string) => `${status}, on the same machine as: ${name}`,
  chain: 'The chain',
  chainReady: 'Accepts payments',
  chainNotReady: 'Does not accept payments right now',
  claim: 'Claim test coin',
  hours,
  about: 'What a container is',
}

export type Texts = typeof texts
