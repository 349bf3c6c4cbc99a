import type { EarningHour, UnearnedKind } from '@tidenet/contract'

type Hindrance = NonNullable<EarningHour['hindrance']>

const devices = (count: string) => (count === '1' ? 'one device' : `${count} devices`)
const receipts = (count: number) => (count === 1 ? '1 receipt has' : `${count} receipts have`)

export const texts = {
  title: 'Earnings',
  intro:
    'In points. Devices earn for traffic that readers signed and for storage that customers pay for, by a public formula.',
  how: 'How earnings are computed',
  failed: 'Your earnings could not be loaded.',
  periods: {
    today: 'Today',
    week: 'Last 7 days',
    month: 'Last 30 days',
    total: 'Total',
    running: 'Running hour',
  },
  runningHint: 'not redeemable yet',
  traffic: 'Traffic',
  storage: 'Storage',
  cause: (name: string, amount: string) => `${name} ${amount}`,
  balance: (left: string, all: string) => `You have ${left} points to redeem, of ${all} in total.`,
  balanceText: (minutes: number) =>
    `An hour counts ${minutes} minutes after it ends. Only whole points can be redeemed; the rest is kept. Days are UTC.`,
  redeem: 'Redeem points',
  range: 'Period',
  days: (days: number) => `${days} days`,
  all: 'All devices',
  device: 'Device',
  chart: (name: string, days: number) => `${name}: points per day, last ${days} days`,
  byDevice: 'By device',
  gone: 'no longer yours',
  statement: 'Statement',
  statementOf: (name: string) => `Statement of ${name}`,
  weekly: 'Weekly e-mail about earnings',
  weeklyHint: 'On Mondays, if something was earned or a device has a problem.',
  hidden: (count: number) => `and ${count} more that earned less`,

  day: 'Day (UTC)',
  previous: 'Previous day',
  next: 'Next day',
  statementFailed: 'The statement could not be loaded.',
  none: 'Nothing was recorded on this day',
  noneText: 'The device was not online, or did not belong to you.',
  onlySums: 'The hours of this day are no longer stored, only its sum and its receipts. You can still recompute it.',
  sum: 'Sum of the day',
  withRunning: (amount: string) => `and ${amount} points of hours that are still running`,
  hours: 'Hours',
  running: 'running',
  nothing: 'nothing',
  hindrances: {
    owner: 'The device had no owner.',
    standing: 'The device was new: it earns after it has passed 100 audits, over at least three days.',
    failed: 'It failed an audit in this hour.',
    audit: 'It passed no audit in the 24 hours up to the end of this hour.',
  } satisfies Record<Hindrance, string>,
  unearned: {
    free: 'the readers have free plans',
    visitor: 'visitors of shared files',
    anonymous: 'anonymous files',
    own: 'the reader owns the device, or owned it in the week before the download',
    unowned: 'the device did not belong to you all the time since the download began',
    unvetted: 'the device was new when the download began, or became new again since',
    failed: 'the device failed an audit in the hour in which the download began',
    unaudited: 'the device passed no audit in the 24 hours up to the end of the hour in which the download began',
  } satisfies Record<UnearnedKind, string>,
  idle: 'It held nothing that counts and that customers pay for, and served nothing that readers signed and pay for.',
  facts: {
    traffic: 'Traffic',
    unearned: 'Not earned',
    storage: 'Storage',
    held: 'Held',
    online: 'Online',
    paid: 'Paid share',
    crowd: 'At its address',
    audits: 'Audits',
    formula: 'Formula',
    receipt: 'Receipt',
  },
  inputs: {
    traffic: (bytes: string, amount: string) => `${amount} points, 1 per GB: ${bytes} that readers signed and pay for`,
    unearned: (bytes: string, reason: string) => `${bytes}: ${reason}`,
    held: (bytes: string) => `${bytes} in copies that count`,
    online: (minutes: string) => `${minutes} of 60 minutes`,
    paid: (share: string) => `${share} of all stored bytes belong to paying accounts; only this part earns`,
    crowd: (count: string, lowers: boolean) =>
      lowers
        ? `${devices(count)} at one address together earn at most what one would earn for storage`
        : devices(count),
    audits: (passed: string, failed: string) => `${passed} passed, ${failed} failed`,
    lastAudit: (when: string) => `last passed ${when}`,
    storage: (amount: string) => `${amount} points, 1 per GB and 720 hours, multiplied by what follows`,
    version: (version: number) => `version ${version}`,
  },
  dayOpen: 'The receipt of the day is issued when the day is over.',
  downloads: 'Receipts of downloads',
  downloadsText: (min: string) =>
    `What readers signed, and what your device signed as sent. Downloads of less than ${min} from this device, and those of anonymous files, have no receipt; the hours count what can earn.`,
  noDownloads: 'No download receipts were issued on this day.',
  moreDownloads: 'Show more',

  recompute: 'Recompute',
  recomputeText:
    'This browser downloads the signed receipts of the day, checks their signatures with the key of the network, and computes the day with the public formula.',
  notClosed: 'No hour of this day is closed yet.',
  recomputeFailed: 'The day could not be recomputed.',
  keyMissing: 'The portal did not give the key of its network, so no signature can be checked.',
  agrees: 'The result is the same',
  agreesText: (count: number) => `The difference is 0. ${receipts(count)} a valid signature of the network.`,
  differs: 'The result is different',
  differsText: (points: string, isMore: boolean) =>
    `The network states ${points} ${points === '1' ? 'point' : 'points'} ${isMore ? 'more' : 'less'} than the receipts give.`,
  differsNoSum: 'The sums are the same, but something else is not.',
  stated: 'Stated',
  computed: 'Recomputed',
  difference: 'Difference',
  hour: 'Hour',
  problems: {
    receipt: 'its receipt is missing or invalid',
    version: 'another version of the formula applies',
    omitted: 'the statement leaves it out',
    repeated: 'it is stated twice',
  },
  invalidReceipts: (ids: readonly number[]) =>
    `Not genuine, or of another device, owner or hour: receipt ${ids.join(', ')}.`,
  otherKey: 'These receipts are signed with another key than the one that this browser remembers.',
  dayDiffers: 'The receipt of the day says something else than this statement.',
  toVerify: 'Verify a receipt',
  disputeText: 'What should the operators know? (optional)',
  dispute: 'Send both results to the operators',
  disputed: 'Sent. The answer appears here.',

  disputes: 'Disputes',
  disputesText: 'Days that you computed differently, with the answers of the operators.',
  disputeOf: (name: string, day: string) => `${name}, ${day}`,
  disputeOpen: 'Open: the operators have not answered yet',
  disputeClosed: (when: string) => `Closed on ${when}`,
  bothResults: (stated: string, computed: string) => `Stated ${stated} points, computed ${computed} points`,
  answer: 'Answer',
  noAnswer: 'No answer was given.',
  yourText: 'Your text',

  rename: (name: string) => `Rename ${name}`,
  name: 'Name of the device',
  nameHint: 'Everyone can see it. Leave it empty to use the name that the node gives itself at its next start.',
  saveName: 'Save name',
  outdated: (newest: string) => `outdated, ${newest} is available`,
}

export type Texts = typeof texts
