export const texts = {
  eyebrow: 'Points exchange',
  title: 'Exchange TNT4 for credits',
  intro:
    'A partner AI service accepts TNT4 for its credits. This page calculates the price of an exchange, shows every step before you sign, and keeps a record.',
  calculate: 'Calculate',
  ask: 'Notify me when it is available',
  state:
    'The partner exchange is not available yet. You can use the calculator; you do not need a wallet and nothing is charged.',
  drawing:
    'One TNT4 is worth 0.0508 US dollars, and one dollar buys 400 credits. So one TNT4 buys 20.32 credits; with the discount, 0.75 TNT4 buys as many.',

  stepsTitle: 'An exchange in four steps',
  stepsIntro: 'Step three works now. The other steps are unavailable until the partner is connected.',
  off: 'Unavailable until the partner exchange is connected.',
  wallet: {
    title: 'Connect the wallet',
    text: 'Use the wallet that is linked to your account.',
    button: 'Connect wallet',
  },
  account: {
    title: 'Enter the partner account',
    text: 'Enter its UID or e-mail address. The partner confirms that the account exists before you continue.',
    label: 'UID or e-mail at the partner',
    button: 'Verify',
  },
  points: {
    title: 'Enter the points',
    label: 'Credits',
    hint: (least: string, most: string) => `A whole number from ${least} to ${most}.`,
    picks: 'Common amounts',
    problems: {
      missing: 'Please enter how many credits.',
      whole: 'Please enter a whole number, such as 1,000.',
      least: (least: string) => `At least ${least} credits.`,
      most: (most: string) => `At most ${most} credits.`,
    },
  },
  confirm: {
    title: 'Confirm and sign',
    text: 'Your wallet shows the amount and the remarks, which contain the order number. Do not modify the remarks when confirming the transaction, or the fee is deducted and the exchange fails.',
    button: 'Confirm',
  },

  quoteTitle: 'Price',
  quote: {
    credits: 'Credits',
    value: 'Value',
    rate: 'Rate',
    rateText: '1 TNT4 = 0.0508 USD',
    perUsd: '1 USD = 400 credits',
    full: 'Before discount',
    discount: 'Limited-time discount',
    due: 'Total',
    saved: 'Saved',
  },
  usd: (amount: string) => `${amount} USD`,
  tnt4: (amount: string) => `${amount} TNT4`,
  rounding: 'Rounded up once, at the end, to six decimal places, the precision of TNT4.',
  validity:
    'Once the exchange is available, a quote is valid for 60 seconds. If the rate changes before you sign, the amount is recalculated and you confirm it again.',

  recordsTitle: 'Your exchanges',
  columns: ['Order', 'Account', 'Credits', 'TNT4', 'State', 'Time'] as readonly string[],
  none: 'No exchanges yet. Exchanging is not available yet.',
  noneText: 'Every exchange will be listed here, including failed ones.',
  statesTitle: 'States of an exchange',
  states: [
    ['Completed', 'The partner has credited the points.'],
    ['Incomplete', 'Paid, but not credited yet. It is retried automatically; you do not need to do anything.'],
    ['Failed', 'Not paid, or paid with modified remarks. Payments are returned minus the network fee.'],
  ] as readonly (readonly [string, string])[],

  requestTitle: 'Notify me when it is available',
  requestIntro: 'If you use the partner service, tell us here. We will write to you when exchanges start.',
  hints: [
    'How many credits you would need, and how often',
    'Whether you hold TNT4 already, and in which wallet',
    'What must not go wrong',
  ] as readonly string[],
  textLabel: 'What would you exchange, and what should we know?',
}

export type Texts = typeof texts
