/** Texts at the top of the home page; the rest of it has its own texts, loaded later. */
export const texts = {
  /** A file without an account. */
  card: {
    title: 'Try it without an account',
    text: 'One file of up to 100 MiB, kept for 24 hours. Anyone with the link can download it.',
    drop: 'Drop a file here',
    dropNow: 'Release to upload',
    or: 'or',
    choose: 'Choose a file',
    oneFile: 'Upload one file at a time. Folders and multiple files need an account.',
  },
  title: 'A storage network you can watch at work',
  intro:
    'Tidenet stores files on devices that people lease out. Each file is identified by a hash of its content, copied to nodes in several areas, and verified block by block when you download it. The map shows transfers as they happen.',
  start: 'Create a free account',
  console: 'Open the console',
  explore: 'Explore the network',
  plan: 'Free: 100 MiB of storage and 1 GiB of download traffic a month. No card, no wallet.',
  map: {
    label: 'Nodes of the network and transfers between them',
    live: 'Live',
    waiting: 'Connecting',
    online: (count: string) => `${count} online`,
    failed: 'The nodes could not be loaded. Retrying automatically.',
  },
  moves: {
    title: 'Latest transfers',
    none: 'No recent transfers. Upload a file to see its copies spread.',
    all: 'All transfers',
    kind: { upload: 'Upload', download: 'Download', replica: 'Copy' },
    someone: 'someone',
    way: (from: string, to: string) => `${from} to ${to}`,
    within: (area: string) => `within ${area}`,
  },
  figures: {
    title: 'The network in figures',
    measured: (when: string) => `Measured by the network at ${when}. Select a figure to see its source.`,
    loading: 'Counting…',
    failed: 'The figures could not be loaded. Retrying automatically.',
    registered: 'Registered nodes',
    online: 'Devices online',
    space: 'Storage space',
    used: (size: string) => `${size} used`,
    ips: 'Unique IP addresses',
    cores: 'CPU cores',
    countries: 'Countries and territories',
    wallets: 'Active wallets',
    walletsBound: 'linked to accounts',
    moved: 'Transferred in 24 hours',
    transfers: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'transfer' : 'transfers'}`,
    sinceBegin: 'since the first node joined',
    now: 'right now',
    ofOnline: 'of nodes online',
  },
}

export type Texts = typeof texts
