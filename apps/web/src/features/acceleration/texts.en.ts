const s = (count: number, one: string, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Texts of delivery acceleration in the details of a file or folder. */
export const texts = {
  title: 'Delivery acceleration',
  fileHint:
    'Adds copies of this file near the people who read it. Downloads begin at the node that answers fastest there.',
  folderHint:
    'Adds copies of everything in this folder, also of what you add later, near the people who read it. Downloads begin at the node that answers fastest there.',
  loadFailed: 'Delivery acceleration could not be loaded.',
  notIncluded: 'Part of the VIP and enterprise plans.',
  toPlans: 'Compare plans',
  state: {
    off: 'Off',
    waiting: 'On. Copies are added once somebody downloads, or when you choose areas below.',
    warming: 'Copies are on their way.',
    active: 'Active',
    limited: 'Your extra copies have reached their limit. Turn acceleration off elsewhere to make room.',
  },
  activeIn: (areas: string) => `Active in ${areas}`,
  warmingIn: (areas: string) => `Copies are on their way to ${areas}`,
  through: (folder: string) => `On, because the folder “${folder}” is accelerated.`,
  ends: (when: string) => `Your plan has ended. The extra copies stay until ${when}.`,
  nowhere: 'On, without extra copies so far.',
  unserved: (areas: string) =>
    `No trusted node is near ${areas} at the moment, so no extra copies go there. Copies on new nodes do not count.`,
  near: 'Extra copies',
  copiesOf: (stored: number, wanted: number) => `${stored} of ${s(wanted, 'copy', 'copies')}`,
  serves: (areas: string) => `for readers in ${areas}`,
  cause: {
    reads: 'because people there download it',
    expected: 'because you expect readers there',
    account: 'because you were there when you turned it on',
  },
  expected: 'Where you expect readers',
  expectedHint: (max: number) =>
    `Copies go there before anybody downloads. Choose up to ${max}, or none: then they follow the downloads.`,
  tooMany: (max: number) => `Choose at most ${max} areas.`,
  cost: 'Cost',
  extra: (size: string) => `${size} of extra copies`,
  noExtra: 'No extra storage: the network’s usual copies are near already.',
  copied: (size: string) => `${size} copied between nodes for these copies`,
  used: (used: string, limit: string) =>
    `The extra copies of all your files need up to ${used}; the limit is ${limit}. They do not count as storage used. Downloads count as always.`,
  measured: 'First byte before and after',
  measuredHint:
    'The time until the first byte, measured by the readers’ programs: the median of each area in the last 60 days. One measurement per network, file and day counts.',
  none: 'Nobody has measured a download yet.',
  firstByte: (area: string) => `First byte in ${area}`,
  colon: ': ',
  both: (before: string, after: string) => `${before} before, ${after} after`,
  onlyBefore: (time: string) => `${time} before acceleration`,
  onlyAfter: (time: string) => `${time} with acceleration; not measured before`,
  tooFew: (count: number, least: number) =>
    `${s(count, 'download')} measured so far. The time is shown from ${least} on, before or after.`,
  speed: (before: string, after: string) => `Throughput: ${before} before, ${after} after`,
  speedOne: (speed: string) => `Throughput: ${speed}`,
  basedOn: (before: number, after: number) => `From ${before} measured downloads before and ${after} after`,
  before: 'before',
  after: 'after',
  chart: (area: string, days: number) => `First byte in ${area}, ${s(days, 'day')}`,
  ms: (value: string) => `${value} ms`,
  turnedOn: 'Delivery acceleration is on',
  turnedOff: 'Delivery acceleration is off. The extra copies are removed.',
}

export type Texts = typeof texts
