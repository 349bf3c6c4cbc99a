import type { OrderLabel } from '@tidenet/contract'

/** Facts of something that needs attention, formatted; `count` decides between singular and plural. */
export interface ThingFacts {
  count: number
  number: string
  name: string
  when: string
  used: string
  quota: string
}

/** Facts of something that happened, formatted. */
export interface EventFacts {
  count: number
  number: string
  name: string
  size: string
  coins: string
  points: string
  label: OrderLabel | null
}

const orders: Record<OrderLabel, string> = {
  created: 'Order created, not paid',
  paid: 'Order paid',
  running: 'Order running',
  expired: 'Order expired',
  failed: 'Order failed',
  refunded: 'Order refunded',
  cancelled: 'Order cancelled',
  upgrading: 'Order: upgrade in progress',
  renewing: 'Order: renewal in progress',
  replacing: 'Order being replaced',
  replaced: 'Order replaced',
  terminated: 'Order terminated',
}

export const texts = {
  title: 'Dashboard',
  storage: 'Storage',
  storageOf: (used: string, total: string) => `${used} of ${total} used`,
  versions: (size: string) => `in addition ${size} of earlier versions, deleted when uploads need the quota`,
  reserved: (size: string) => `including ${size} reserved by unfinished uploads`,
  outflow: 'Download traffic this month',
  outflowOf: (used: string, total: string) => `${used} of ${total} used`,
  outflowNote: (since: string, until: string) =>
    `Data that nodes sent for you since ${since}. Starts again on ${until}.`,
  left: (size: string) => `${size} left`,
  almost: 'Almost used up',
  filesCount: 'Files',
  foldersCount: 'Folders',
  areasUsed: 'Areas',
  candidates: 'L1 nodes',
  edges: 'L2 nodes',
  holding: 'holding your files',
  peak: 'Peak speed',
  activity: 'Activity',
  sent: 'Sent by nodes',
  received: 'Uploaded',
  downloads: 'Downloads',
  stored: 'Stored',
  chartLabel: (name: string, range: string) => `${name}, last ${range}`,
  total: (value: string) => `Total ${value}`,
  latest: (value: string) => `Now ${value}`,
  highest: (value: string) => `highest ${value}`,
  table: 'Show as a table',
  when: 'When',
  failed: 'The figures could not be loaded.',
  none: 'No activity in this period.',
  daysShort: (count: number) => (count === 1 ? '24 h' : `${count} d`),
  days: (count: number) => (count === 1 ? '24 hours' : `${count} days`),
  peakSeries: 'Peak bandwidth',
  export: 'Export as CSV',
  range: 'Time range',
  areasTitle: 'Where your copies are',
  areasNone: 'Nothing is stored yet. Copies appear here when you upload something.',
  areasFailed: 'The locations of your copies could not be loaded.',
  areasMore: 'See them on the map',
  areasTotal: (copies: number, areas: number) =>
    `${copies === 1 ? '1 copy' : `${copies} copies`} in ${areas === 1 ? '1 area' : `${areas} areas`}`,
  areaFiles: (count: number) => (count === 1 ? 'of 1 file' : `of ${count} files`),
  areaNodes: (online: string, all: string) => `${online} of ${all} nodes online`,
  copies: (count: number) => (count === 1 ? '1 copy' : `${count} copies`),
  transfers: 'Recent transfers',
  transfersNone: 'No transfers yet. Every upload and download is listed here with the nodes that took part.',
  transfersFailed: 'The transfers could not be loaded.',
  upload: 'Upload',
  download: 'Download',
  name: 'Name',
  size: 'Size',
  time: 'Duration',
  speed: 'Speed',
  state: ['Running', 'Done', 'Failed'] as readonly string[],
  details: (name: string) => `Trace of ${name}`,
  traceTitle: 'Trace',
  traceIntro: 'Every attempt at every node, as measured by the client.',
  traceId: 'Trace ID',
  copyTrace: 'Copy trace ID',
  started: 'Started',
  firstByte: 'First byte',
  byNodes: 'Reported by nodes',
  byNodesNote: 'Bytes that nodes reported for this transfer',
  node: 'Node',
  tries: 'Attempts',
  status: 'Status',
  error: 'Error',
  noTries: 'No attempts were reported for this transfer.',
  log: 'Client log',
  notFound: 'This transfer does not exist, or it belongs to another account.',
  back: 'Back to the dashboard',
  older: 'Older',
  newer: 'Newer',
  waterfall: 'Attempts over time',
  timeline: 'Timeline',
  direct: 'Direct',
  relayed: 'Through a relay',
  slowTitle: 'What slowed it',
  slow: (seconds: string, share: string) => `: took ${seconds} s, at ${share} of the median speed of the other nodes`,
  unanswered: (seconds: string) => `: no answer for ${seconds} s`,
  single: (seconds: string, speed: string) => `: the only download source, took ${seconds} s at ${speed}`,
  receipts: 'Receipts',
  receiptsText: (min: string) =>
    `There is one for each node from which you signed at least ${min}, for the account that pays for the download. It is issued ten seconds after the last bytes.`,
  noReceipts: 'This transfer has no receipt.',
  support: {
    title: 'Send to support',
    intro:
      'The operators see this trace and what you write here. The trace is kept at least until they close the case.',
    text: 'What went wrong? (optional)',
    send: 'Send to support',
    sent: (time: string) =>
      `Sent to support on ${time}. The trace is kept at least until the operators close the case.`,
    closed: (time: string) => `The operators closed this case on ${time}. If the problem is not solved, send it again.`,
    tooLong: (max: string) => `At most ${max} characters.`,
  },
  steps: {
    title: 'First steps',
    close: 'Hide the first steps',
    done: 'Done',
    names: { upload: 'Upload a file', share: 'Share it', claim: 'Claim free test coins' },
    texts: {
      upload: 'It is split into blocks and copied to several nodes.',
      share: 'Choose a file, then Share: a link with expiry and password if you want.',
      claim: 'They pay for containers and have no value elsewhere.',
    },
    actions: { upload: 'Upload files', share: 'Choose a file', claim: 'Claim test coins' },
  },
  attention: {
    title: 'Needs attention',
    texts: {
      ordersDelete: ({ count, when }: ThingFacts) =>
        `${count === 1 ? 'An expired order is' : `${count} expired orders are`} kept until ${when}${count === 1 ? '' : ' or later'}. Then the data is deleted.`,
      ordersEnd: ({ count, when }: ThingFacts) =>
        count === 1
          ? `An order ends on ${when} and is not renewed automatically.`
          : `${count} orders end soon and are not renewed automatically, the first on ${when}.`,
      ordersUnpaid: ({ count, when }: ThingFacts) =>
        `${count === 1 ? 'An order waits' : `${count} orders wait`} for payment until ${when}.`,
      storage: ({ used, quota, name }: ThingFacts) =>
        `Storage${name && ` of the team ${name}`}: ${used} of ${quota} is used.`,
      traffic: ({ when, used, quota, name }: ThingFacts) =>
        `Download traffic${name && ` of the team ${name}`}: ${used} of ${quota} is used. It starts again on ${when}.`,
      transfers: ({ count, number, name }: ThingFacts) =>
        count === 1 ? `A transfer failed: ${name || 'without a name'}.` : `${number} transfers failed.`,
      devices: ({ count, number, name }: ThingFacts) =>
        count === 1 ? `The device ${name} is offline or has a problem.` : `${number} devices have a problem.`,
      filesEnd: ({ count, number, name, when }: ThingFacts) =>
        `${count === 1 ? `The file ${name} is` : `${number} files are`} deleted ${count === 1 ? 'on' : 'from'} ${when}.`,
      webhooks: ({ count, number, name }: ThingFacts) =>
        count === 1 ? `The webhook ${name} fails.` : `${number} webhooks fail.`,
      answers: ({ count }: ThingFacts) =>
        count === 1 ? 'Support answered you.' : `Support sent you ${count} answers.`,
    },
    actions: {
      ordersDelete: 'Show orders',
      ordersEnd: 'Renew',
      ordersUnpaid: 'Pay or cancel',
      storage: 'Compare plans',
      traffic: 'Compare plans',
      transfers: 'Show what failed',
      devices: 'Show devices',
      filesEnd: 'Show files',
      webhooks: 'Show webhooks',
      answers: 'Read',
    },
  },
  events: {
    title: 'What happened',
    texts: {
      uploaded: ({ name, size }: EventFacts) => `Uploaded ${name || 'a file'}, ${size}`,
      downloaded: ({ name, size }: EventFacts) => `Downloaded ${name || 'a file'}, ${size}`,
      traffic: ({ count, number, size }: EventFacts) =>
        `${count === 1 ? '1 download' : `${number} downloads`} of your files, ${size}`,
      ordered: ({ label }: EventFacts) => (label ? orders[label] : 'Order changed'),
      claimed: ({ coins }: EventFacts) => `Claimed ${coins} cTNT`,
      earned: ({ points }: EventFacts) => `Your devices earned ${points} points`,
    },
  },
  chart: 'Chart',
}

export type Texts = typeof texts
