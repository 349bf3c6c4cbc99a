const hours = (count: number) => (count === 1 ? '1 hour' : `${count} hours`)

export const texts = {
  eyebrow: 'Prices of containers',
  title: 'The whole price, before you sign in',
  intro:
    'Choose a machine and its hours. What stands here is what an order costs: the same sum that the server asks for and your wallet signs. Test coins are free and have no value outside this network.',
  calculator: 'Calculator',
  calculatorIntro: 'Prices are in whole coins, rounded up once, at the end.',
  names: { cpu: 'CPU', ram: 'Memory', storage: 'Storage', duration: 'Duration' },
  total: 'Total',
  perHour: (price: string) => `${price} an hour on average`,
  claims: (count: number, amount: string) =>
    count === 1
      ? `One claim of ${amount} pays for it.`
      : `${count} claims of ${amount} each pay for it, one a day: ${count} days of claiming.`,
  how: 'How it comes about',
  part: (name: string, amount: string) => `${name}, ${amount}`,
  anHour: 'Machine, for an hour',
  counted: 'Hours that are counted',
  countedHours: (count: string) => `× ${count}`,
  factor: 'Share of the tariff on this test network',
  rounded: 'Rounded up',
  order: 'Order this machine',
  spans: 'The same machine, for longer',
  spansIntro: 'A month in one piece, not a price for an hour that looks small.',
  span: 'For',
  spanTotal: (symbol: string) => `Total, ${symbol}`,
  spanHour: (symbol: string) => `An hour, ${symbol}`,
  spanClaims: 'Claims',
  tariff: 'The tariff',
  tariffIntro: (share: string) =>
    `Each rate applies to the part of a quantity that lies in its tier, never to the whole: more never costs less. This network asks for ${share} of it.`,
  tier: 'Part',
  rate: 'Rate',
  upTo: (from: string, to: string) => `${from} to ${to}`,
  rates: {
    cpu: (rate: string) => `${rate} an hour for each core`,
    ram: (rate: string) => `${rate} an hour for each GB`,
    storage: (rate: string) => `${rate} an hour for each GB`,
    duration: (share: string) => `${share} of the hour`,
  },
  included: 'What else there is to pay, and what comes back',
  rules: (grace: number | undefined, fee: string) =>
    [
      [
        'The fee of the chain',
        fee === ''
          ? 'Each transaction pays a small fee in the chain’s own coin, which a claim brings along.'
          : `Each transaction pays ${fee}. A claim brings this coin along.`,
      ],
      ['Less than an hour', 'Counts as an hour. The smallest order is one hour.'],
      [
        'Ending early',
        'Hours that were not begun come back: price × unused hours ÷ hours. The first hour is always paid.',
      ],
      ['Renewing', 'Costs the price of the new total less what was paid so far. At most 720 hours in total.'],
      [
        'Upgrading',
        'The new machine is paid in full, and the unused hours of the old one come back in the same transaction.',
      ],
      ['Both regions', 'Cost the same.'],
      [
        'After the end',
        grace === undefined
          ? 'The workspace stops. Its data is kept for a while at no cost, then deleted.'
          : `The workspace stops. Its data is kept for ${grace} hours at no cost, then deleted.`,
      ],
      ['If nothing could be made', 'The whole price comes back without asking.'],
    ] as readonly (readonly [string, string])[],
  sold: 'What is sold right now',
  soldFailed: 'It cannot be said right now what is sold.',
  regions: { distributed: 'Distributed cluster', centralized: 'Centralized cluster' },
  places: { distributed: 'Global', centralized: 'Hong Kong' },
  ready: 'Can be ordered',
  notReady: 'Sells nothing right now',
  chain: 'The chain',
  chainReady: 'Takes payments',
  chainNotReady: 'Takes no payments right now',
  claim: 'Claim test coin',
  hours,
  about: 'What a container is',
}

export type Texts = typeof texts
