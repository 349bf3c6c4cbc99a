/** What stands at the top of the first page; the rest of it has texts of its own, fetched later. */
export const texts = {
  /** A file without an account. */
  card: {
    title: 'Try it without an account',
    text: 'One file of up to 100 MiB, kept for 24 hours. Anyone with the link can download it.',
    drop: 'Drop a file here',
    dropNow: 'Let go to upload',
    or: 'or',
    choose: 'Choose a file',
    oneFile: 'One file at a time, please. Folders and many files at once need an account.',
  },
  title: 'A storage network you can watch at work',
  intro:
    'Tidenet keeps files on nodes that people lease out. A file is named by its own bytes, copied to nodes in several areas, and checked block by block when it comes back. What moves right now is on the map.',
  start: 'Create a free account',
  console: 'Open the console',
  explore: 'Explore the network',
  plan: 'Free: 100 MiB of storage and 1 GiB of download traffic a month. No card, no wallet.',
  map: {
    label: 'Nodes of the network, and what moves between them',
    live: 'Live',
    waiting: 'Connecting',
    online: (count: string) => `${count} online`,
    failed: 'The nodes could not be loaded. The next attempt follows by itself.',
  },
  moves: {
    title: 'Latest transfers',
    none: 'Nothing has moved lately. Leave a file and watch its copies spread.',
    all: 'All transfers',
    kind: { upload: 'Upload', download: 'Download', replica: 'Copy' },
    someone: 'someone',
    way: (from: string, to: string) => `${from} to ${to}`,
    within: (area: string) => `within ${area}`,
  },
  figures: {
    title: 'The network in figures',
    measured: (when: string) => `Counted by the network at ${when}. Each figure leads to where it comes from.`,
    loading: 'Being counted.',
    failed: 'The figures could not be loaded. The next attempt follows by itself.',
    registered: 'Registered nodes',
    online: 'Devices online',
    space: 'Storage space',
    used: (size: string) => `${size} used`,
    ips: 'Unique IP addresses',
    cores: 'CPU cores',
    countries: 'Countries and territories',
    wallets: 'Active wallets',
    walletsBound: 'bound to accounts',
    moved: 'Moved in 24 hours',
    transfers: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'transfer' : 'transfers'}`,
    sinceBegin: 'since the first one',
    now: 'right now',
    ofOnline: 'of nodes online',
  },
}

export type Texts = typeof texts
