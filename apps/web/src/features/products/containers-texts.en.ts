export const texts = {
  eyebrow: 'Containers and compute',
  title: 'A machine by the hour, from one core to thirty-two',
  intro:
    'Choose cores, memory, disk and hours. Your payment is held in escrow on the chain, and unused hours are refunded when you stop.',
  calculator: 'Price a machine',
  allPrices: 'All prices, with a calculator',
  coin: 'The test coin page',
  state: 'Paid with a test coin on a test network. The price page shows which regions accept orders now.',
  drawing:
    'Each quantity as a scale, with the smallest machine marked: 1 of 32 cores, 1 of 64 GB of memory, 40 of 4,000 GB of disk. Below, an order of 24 hours: 7 hours were used, 17 are refunded.',
  scale: { cpu: 'Cores', ram: 'Memory', storage: 'Disk', used: '7 h used', back: '17 h refunded' },

  boundsTitle: 'What can be ordered',
  boundsIntro:
    'You can order any combination within these limits. Prices are in a test coin that is free and has no value elsewhere.',
  quantity: 'Quantity',
  least: 'Minimum',
  most: 'Maximum',
  step: 'Step',
  names: { cpu: 'CPU', ram: 'Memory', storage: 'Disk', duration: 'Duration' },
  units: {
    cpu: (count: string) => (count === '1' ? '1 core' : `${count} cores`),
    ram: (count: string) => `${count} GB`,
    storage: (count: string) => `${count} GB`,
    duration: (count: string) => (count === '1' ? '1 hour' : `${count} hours`),
  },
  examplesTitle: 'Three examples',
  examples: ['A small test machine', 'A build machine for an afternoon', 'A service for a week'] as readonly string[],
  perHour: (price: string) => `${price} an hour`,
  claims: (count: number) => (count === 1 ? 'One daily claim pays for it' : `${count} daily claims pay for it`),
  tiers:
    'Larger amounts cost less per unit above each step. The discount applies only to the part above the step, so a larger order never costs less than a smaller one.',

  orderTitle: 'How an order runs',
  orderIntro:
    'An order has four steps between your wallet, the chain and the server. The server trusts only what is recorded on the chain.',
  order: [
    [
      'Order',
      'The server checks the limits, computes the price and assigns an order number. Nothing is paid yet; unpaid orders expire after five minutes.',
    ],
    [
      'Pay',
      'Your wallet signs one message with that number: cores, memory, disk, and hours times 600, because the chain makes 600 blocks an hour. The price goes into escrow.',
    ],
    [
      'Run',
      'The server reads the payment from the chain and creates a workspace with these limits. Billing starts when the workspace runs.',
    ],
    [
      'Stop',
      'At the end of the order, or earlier if you terminate it. Started hours are charged; the rest is refunded to the wallet that paid.',
    ],
  ] as readonly (readonly [string, string])[],
  rulesTitle: 'Billing rules',
  rules: [
    ['Minimum charge', '1 hour'],
    ['Renewing', 'doubles the hours, up to 720; automatically if you allow it, up to a cap'],
    ['Renewing costs', 'the price of the new total minus what was paid'],
    ['Upgrading costs', 'the new price; unused hours of the old order are refunded'],
    ['Early termination refunds', 'price × unused hours ÷ hours'],
    ['Chain fee of an order', '500 smallest units'],
    ['Data after the end is kept', '72 hours'],
  ] as readonly (readonly [string, string])[],

  regionsTitle: 'Two regions',
  regions: [
    [
      'Distributed',
      'Global: machines leased by their owners. For work that can run anywhere: builds, batch jobs, tests.',
    ],
    [
      'Centralized',
      'Hong Kong: one data centre. For services that need a fixed location and low latency between machines.',
    ],
  ] as readonly (readonly [string, string])[],
  todayTitle: 'What you can do today',
  /** `faucet`: coins of one claim; undefined or 0 until it is known. */
  today: (
    faucet: { claim: string; hourly: string; symbol: string } | 0,
  ): readonly (readonly [string, string, string])[] => [
    [
      'Read how the chain is used',
      'What is recorded on it, what is not, and how payments are verified.',
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
  signInNote: 'The last two require a free account.',

  requestTitle: 'Tell us what you would run',
  requestIntro: 'Tell us if you need a larger configuration or a region that is not available yet.',
  hints: [
    'What runs in it: an image, a language, a program',
    'How much of it, and for how long',
    'Whether it must be reached from outside',
    'Regions to exclude',
  ] as readonly string[],
  textLabel: 'What would you run, and how large?',

  questions: [
    {
      q: 'Can I order a machine now?',
      a: 'Yes, in regions that accept orders. Link a wallet, claim test coin, choose a machine and sign the payment. Regions without a cluster are marked and do not accept orders.',
    },
    {
      q: 'What does a test coin cost?',
      a: 'Nothing. A faucet gives it to each wallet once a day. It only buys time on this test network.',
    },
    {
      q: 'What happens to my data when the hours are over?',
      a: 'The machine stops, and its disk is kept for 72 hours. During this time you can buy the same order again and continue; after that, the disk is deleted.',
    },
    {
      q: 'Which wallets work?',
      a: 'Keplr and other wallets that sign CosmWasm messages in the browser, and the wallet that the portal can store in your browser. You have to pay with the wallet that is linked to the account.',
    },
    {
      q: 'Can others on the same device see into my container?',
      a: 'Workspaces are isolated from each other and have their own limits for CPU, memory and processes. The owner of a device, however, has full control over it: do not put secrets on machines you do not own.',
    },
  ],
}

export type Texts = typeof texts
