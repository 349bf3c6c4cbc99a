export const texts = {
  eyebrow: 'Points exchange',
  title: 'TNT4 into credits, right to the last digit',
  intro:
    'A partner AI service takes TNT4 in exchange for its credits. This page computes what an exchange costs, shows each step before anything is signed, and keeps a record of it.',
  calculate: 'Calculate',
  ask: 'Tell me when it is connected',
  state:
    'The partner exchange is not connected yet. The calculator works; no wallet is asked for and nothing is charged.',
  drawing:
    'One TNT4 is worth 0.0508 US dollars. One dollar is 400 credits. So one TNT4 is 20.32 credits; with the discount, 0.75 TNT4 buy as much.',

  stepsTitle: 'An exchange in four steps',
  stepsIntro: 'Step three works now. The others are off until the partner is connected, and say so.',
  off: 'Off until the partner exchange is connected.',
  wallet: {
    title: 'Connect the wallet',
    text: 'It must be the one that is bound to your account.',
    button: 'Connect wallet',
  },
  account: {
    title: 'Name the partner account',
    text: 'By UID or e-mail. The partner says whether it exists before anything else is asked.',
    label: 'UID or e-mail at the partner',
    button: 'Verify',
  },
  points: {
    title: 'Enter the points',
    label: 'Credits',
    hint: (least: string, most: string) => `A whole number from ${least} to ${most}.`,
    picks: 'Often chosen',
    problems: {
      missing: 'Please enter how many credits.',
      whole: 'Please enter a whole number, such as 1,000.',
      least: (least: string) => `At least ${least} credits.`,
      most: (most: string) => `At most ${most} credits.`,
    },
  },
  confirm: {
    title: 'Confirm and sign',
    text: 'Your wallet shows the amount and the remarks, which hold the order’s number. Do not modify the remarks when confirming the transaction, or the fee is deducted and the exchange fails.',
    button: 'Confirm',
  },

  quoteTitle: 'What it costs',
  quote: {
    credits: 'Credits',
    value: 'Worth',
    rate: 'At the rate of',
    rateText: '1 TNT4 = 0.0508 USD',
    perUsd: '1 USD = 400 credits',
    full: 'Without the discount',
    discount: 'Discount, for the time being',
    due: 'To pay',
    saved: 'Saved',
  },
  usd: (amount: string) => `${amount} USD`,
  tnt4: (amount: string) => `${amount} TNT4`,
  rounding: 'Rounded up to the sixth digit, once, at the end. TNT4 has six.',
  validity:
    'When it is connected, a quote will hold for 60 seconds. If the rate changes before you sign, the amount is computed again and shown to you again.',

  recordsTitle: 'Your exchanges',
  columns: ['Order', 'Account', 'Credits', 'TNT4', 'State', 'Time'] as readonly string[],
  none: 'There are no exchanges, since none can be made yet.',
  noneText: 'Each will be listed here, the failed ones too.',
  statesTitle: 'States of an exchange',
  states: [
    ['Completed', 'The partner has credited the points.'],
    ['Incomplete', 'Paid, and not credited yet. It is tried again, and you need not do anything.'],
    ['Failed', 'Not paid, or paid with a changed remark. What was paid is returned less the network fee.'],
  ] as readonly (readonly [string, string])[],

  requestTitle: 'Tell me when it is connected',
  requestIntro: 'Whoever uses the partner service can say so here, and is written to when exchanging begins.',
  hints: [
    'How many credits you would need, and how often',
    'Whether you hold TNT4 already, and in which wallet',
    'What must not go wrong',
  ] as readonly string[],
  textLabel: 'What would you exchange, and what should we know?',
}

export type Texts = typeof texts
