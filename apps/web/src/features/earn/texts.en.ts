export const texts = {
  eyebrow: 'For device owners',
  title: 'What devices earn',
  intro:
    'A device earns points for traffic that readers sign and for storage that customers pay for. The formula is public, every hour has a signed receipt, and you can recompute each day yourself.',
  get: 'Get the node',
  devices: 'My devices',

  realTitle: 'What devices of this network really earned',
  realIntro: 'From the closed hours of devices with an owner. Nothing here is extrapolated.',
  median: (points: string) => (points === '1' ? '1 point' : `${points} points`),
  medianWhat: 'or more per device, for half of the owners',
  medianHow: (owners: string, devices: string, days: string) =>
    `${owners} owners had ${devices} devices that earned something and were online for at least half of the time, ${days}. Each owner counts once, with the average of these devices. Rounded down to one digit.`,
  earning: (count: string, all: string) => `${count} of ${all}`,
  earningWhat: 'devices earned something',
  earningHow: (days: string) => `Of all devices with an owner, also those that were rarely online, ${days}.`,
  period: (from: string, to: string) => `from ${from} to ${to} (UTC)`,
  tooFew: 'Too few owners',
  tooFewText: (devices: number, owners: number) =>
    devices === 0
      ? 'No device with an owner has completed a day yet, so there is nothing to report.'
      : `On the days that are over, ${devices === 1 ? 'one device' : `${devices} devices`} had an owner. ${owners === 1 ? 'One owner' : `${owners} owners`} had devices that earned something and were online for at least half of the time. With fewer than ten, a median would show what one of them earned, so it is not published.`,
  paid: 'of stored bytes are paid for',
  paidHow: 'The paid share of the last hour, as in the receipts. Only this part of what a device holds earns.',
  loading: 'Loading the figures of this network.',
  realFailed: 'The figures of this network could not be loaded.',

  target: '$5–$30',
  targetWhat: 'a month for each device',
  targetHow:
    'This is what we aim for, not what devices earn. Points can be redeemed for TTNT, a test coin without value outside this network, so today no device earns dollars.',

  formulaTitle: 'The formula',
  formulaIntro: (version: number) =>
    `Version ${version}. It runs on our servers and in your browser, from the same source code. Later versions do not change hours of the past.`,
  formula: [
    [
      'Traffic',
      '1 point per GB',
      'For bytes that the reader verified and signed, your device signed as sent, and somebody pays for: a customer with a VIP plan, within the quota of the month. What you download from your own device earns nothing.',
    ],
    [
      'Storage',
      '1 point per GB and month',
      'For copies that count, multiplied by the share of the hour online, by the paid share of the network, and by the factor for devices at one address. A GB is 10⁹ bytes, a month 720 hours.',
    ],
  ] as readonly (readonly [cause: string, rate: string, text: string])[],
  conditionsTitle: 'An hour earns only if the device',
  conditions: [
    'has an owner: it is linked to an account',
    'is trusted: a new edge has to pass 100 audits, over at least three days',
    'passed an audit in the 24 hours up to its end, and failed none in it',
  ],
  conditionsNote:
    'Traffic counts in the hour in which your device reports it. It earns only if the device already met these conditions when the download began.',
  crowdTitle: 'Devices at one address',
  crowdText:
    'Each of them gets this part for storage. Together they never earn more than one device: ten devices on one computer are one device. New edges do not count.',
  crowdDevices: 'Devices',
  crowdFactor: 'Each earns',
  crowdMore: 'more than 11',
  crowdOneNth: '1 ÷ number',

  calculatorTitle: 'Calculator',
  calculatorIntro:
    'An estimate for 30 days, computed with the module that computes earnings. It assumes that all audits are passed.',
  held: 'Stored, GB',
  heldHint: 'Copies that count.',
  served: 'Served per day, GB',
  servedHint: 'Signed, and paid for by customers.',
  online: 'Online, % of the day',
  crowd: 'Devices at the address',
  crowdHint: 'With this one.',
  paidShare: 'Paid share, %',
  paidShareHint: (share: string | undefined) =>
    share ? `In this network now: ${share}.` : 'Of all bytes stored in the network.',
  estimate: 'Estimate',
  perMonth: (points: string) => `${points} ${points === '1' ? 'point' : 'points'} per month`,
  parts: (traffic: string, storage: string) => `${traffic} for traffic, ${storage} for storage`,
  estimateNote: 'Nobody promises this: how much a device stores and serves depends on what customers do.',

  checkTitle: 'Check every amount',
  check: [
    ['A statement for every day', 'Each hour with its inputs, and the reason if it earned nothing.'],
    ['Signed receipts', 'Hours, downloads and days have receipts, whose hashes are in a public log.'],
    [
      'Recompute',
      'Your browser checks the receipts and computes the day again. If the result differs, one click sends both to the operators.',
    ],
  ] as readonly (readonly [title: string, text: string])[],
  verify: 'Verify a receipt',
  article: 'How to run a node',
}

export type Texts = typeof texts
