export const texts = {
  eyebrow: 'Containers and compute',
  title: 'A machine by the hour, from one core to thirty-two',
  intro:
    'Four sliders make a machine: cores, memory, disk and hours. The price is held in escrow on a chain when you order, and what you did not use comes back when you stop.',
  calculator: 'Price a machine',
  allPrices: 'All prices, with a calculator',
  coin: 'The test coin page',
  state: 'Paid with a test coin on a test network. Which region takes orders right now stands on the page of prices.',
  drawing:
    'Each quantity as a scale, with the smallest machine marked: 1 of 32 cores, 1 of 64 GB of memory, 40 of 4,000 GB of disk. Below, an order of 24 hours: 7 hours were used, 17 come back.',
  scale: { cpu: 'Cores', ram: 'Memory', storage: 'Disk', used: '7 h used', back: '17 h come back' },

  boundsTitle: 'What can be ordered',
  boundsIntro:
    'You can order any combination within these limits. Prices are in a test coin that is free and has no value elsewhere.',
  quantity: 'Quantity',
  least: 'Least',
  most: 'Most',
  step: 'In steps of',
  names: { cpu: 'CPU', ram: 'Memory', storage: 'Disk', duration: 'Duration' },
  units: {
    cpu: (count: string) => (count === '1' ? '1 core' : `${count} cores`),
    ram: (count: string) => `${count} GB`,
    storage: (count: string) => `${count} GB`,
    duration: (count: string) => (count === '1' ? '1 hour' : `${count} hours`),
  },
  examplesTitle: 'Three examples, priced',
  examples: ['A place to try things', 'A build for an afternoon', 'A service for a week'] as readonly string[],
  perHour: (price: string) => `${price} an hour`,
  claims: (count: number) => (count === 1 ? 'One daily claim pays for it' : `${count} daily claims pay for it`),
  tiers:
    'More of a thing costs less for the part above each step, never for the whole: one more core or hour is never cheaper than one fewer.',

  orderTitle: 'How an order runs',
  orderIntro:
    'An order is four messages between your wallet, the chain and the server. The server believes the chain and nothing else.',
  order: [
    [
      'Order',
      'The server checks the bounds, computes the price and gives the order a number. Nothing is paid yet; an order nobody pays ends after five minutes.',
    ],
    [
      'Pay',
      'Your wallet signs one message with that number: cores, memory, disk, and hours times 600, because the chain makes 600 blocks an hour. The price goes into escrow.',
    ],
    [
      'Run',
      'The server reads the payment on the chain and has a workspace made for exactly these limits. The clock starts when it runs, not when you clicked.',
    ],
    [
      'Stop',
      'At the end, or earlier when you say so. Hours that were begun are paid, the rest goes back to the wallet that paid.',
    ],
  ] as readonly (readonly [string, string])[],
  rulesTitle: 'Rules, in numbers',
  rules: [
    ['Smallest bill', '1 hour'],
    ['Renewing', 'doubles the hours, up to 720; by itself if you allow it, up to a cap'],
    ['Renewing costs', 'the price of the new total less what was paid'],
    ['Upgrading costs', 'the new price; unused hours of the old order come back'],
    ['Ending early gives back', 'price × unused hours ÷ hours'],
    ['Network fee of an order', '500 smallest units'],
    ['Data after the end is kept', '72 hours'],
  ] as readonly (readonly [string, string])[],

  regionsTitle: 'Two places to run',
  regions: [
    ['Distributed', 'Global: machines that their owners lease out. For work that can move: builds, batches, tests.'],
    ['Centralized', 'Hong Kong: one data centre. For work that wants one place, steady and near to itself.'],
  ] as readonly (readonly [string, string])[],
  todayTitle: 'What you can do today',
  /** `faucet`: what is handed out; undefined or 0 until it is known. */
  today: (
    faucet: { claim: string; hourly: string; symbol: string } | 0,
  ): readonly (readonly [string, string, string])[] => [
    [
      'Read how the chain is used',
      'What goes on it, what deliberately does not, and how a payment is believed.',
      '/blockchain',
    ],
    [
      'Claim test coin',
      faucet
        ? `${faucet.claim} ${faucet.symbol} per wallet and day; ${faucet.hourly} are released every hour.`
        : 'A fixed amount per wallet and day.',
      '/testCoin',
    ],
    ['Order a machine', 'Choose, pay from your wallet, and open the console of its workspace.', '/mycenter?tab=2'],
  ],
  signInNote: 'The last two need a free account.',

  requestTitle: 'Tell us what you would run',
  requestIntro: 'For what the sliders do not reach, or a region that sells nothing yet: say what you need.',
  hints: [
    'What runs in it: an image, a language, a program',
    'How much of it, and for how long',
    'Whether it must be reached from outside',
    'Where it must not run',
  ] as readonly string[],
  textLabel: 'What would you run, and how large?',

  questions: [
    {
      q: 'Can I order a machine now?',
      a: 'Yes, where a region says that it takes orders. Bind a wallet, claim test coin, choose a machine and sign the payment. A region without a cluster says so and sells nothing.',
    },
    {
      q: 'What does a test coin cost?',
      a: 'Nothing. A faucet gives it to each wallet once a day. It only buys time on this test network.',
    },
    {
      q: 'What happens to my data when the hours are over?',
      a: 'The machine stops, its disk is kept for 72 hours so that you can buy the same again and go on, then it is deleted.',
    },
    {
      q: 'Which wallets work?',
      a: 'Keplr and other wallets that sign CosmWasm messages in the browser, and the wallet that the portal can keep in your browser. The wallet that pays has to be the one bound to the account.',
    },
    {
      q: 'Can others on the same device see into my container?',
      a: 'Each workspace has limits of its own for processor, memory and processes and no way to its neighbours. The owner of a device has power over the device, as anywhere: keep keys that must not leak off machines you do not own.',
    },
  ],
}

export type Texts = typeof texts
