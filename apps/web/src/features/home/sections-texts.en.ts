import type { ServiceName } from '@tidenet/contract'

export const texts = {
  how: {
    eyebrow: 'How it works',
    title: 'Nobody has to be believed',
    intro:
      'Nodes belong to people you do not know. So every byte is checked by whoever receives it: a node before it signs for a block, and your program before it shows you one.',
    steps: [
      {
        title: 'Cut into blocks, named by their bytes',
        text: 'The file is cut into blocks of 256 KiB. Each is hashed, and the hashes make a tree. Its root is the CID, the name of the file: other bytes have another name.',
        link: 'What a CID is',
        slug: 'what-is-a-cid',
      },
      {
        title: 'Copied from node to node',
        text: 'One node takes the file and signs a receipt. Other nodes pull copies from it and hash them. When a node is lost, the copies it held are made again elsewhere.',
        link: 'Replicas, audits and repair',
        slug: 'replicas-audits-repair',
      },
      {
        title: 'Fetched from several, checked on arrival',
        text: 'A download asks several nodes at once. Each block is hashed when it comes; a wrong or slow one is taken from another node.',
        link: 'How a download is verified',
        slug: 'how-a-download-is-verified',
      },
    ],
    drawings: {
      cut: 'A file is cut into four blocks; their hashes join into one root, the CID.',
      copy: 'One node has the file; four others pull copies. One has fallen silent, and a copy is made elsewhere.',
      fetch: 'Blocks arrive from three nodes. One is wrong and refused; the same block comes from another node.',
    },
  },
  services: {
    eyebrow: 'What can be rented',
    title: 'One network, several services',
    intro: 'Each with the state it is in. What cannot be ordered yet can be asked for, and people answer.',
    all: 'All services',
    list: [
      {
        to: '/tss',
        name: 'storage' as ServiceName,
        title: 'Cloud storage',
        text: 'Files and folders with links, passwords and expiry, keys with fine rights, encryption before upload, an SDK and a command line.',
      },
      {
        to: '/tc2',
        name: 'containers' as ServiceName,
        title: 'Containers and compute',
        text: 'Cores, memory and disk by the hour, paid on chain with a test coin.',
      },
      {
        to: '/pcdn',
        name: 'pcdn' as ServiceName,
        title: 'PCDN and CDN',
        text: 'Delivery from nodes near your visitors. Shared files already come from the fastest nodes today.',
      },
      {
        to: '/aidata',
        name: 'aiData' as ServiceName,
        title: 'AI data collection',
        text: 'Public pages fetched through leased residential addresses, within their terms.',
      },
      {
        to: '/aiproxy',
        name: 'aiProxy' as ServiceName,
        title: 'AI-agent proxy',
        text: 'Stable ways out to the web for agents, by country.',
      },
    ],
  },
  code: {
    eyebrow: 'For developers',
    title: 'A few lines, the same in a page and in Node',
    intro:
      'The SDK hashes, uploads to a node, downloads from several at once and verifies every block. The tests of this repository run its examples.',
    label: 'Upload a file and share it',
    copy: 'Copy the code',
    docs: 'Documentation',
    api: 'API reference',
    comments: { key: 'a key from the console', link: 'a link for seven days, with a password' },
  },
  owners: {
    eyebrow: 'For device owners',
    title: 'Lease out a machine',
    intro:
      'A node is one program and one command. It connects out, so it also works behind a router; only nodes that can be reached from outside serve browsers directly.',
    kinds: [
      { title: 'Edge, L2', text: 'Stores copies and serves them near people. Runs on any Linux machine; no minimum.' },
      {
        title: 'Candidate, L1',
        text: 'Takes uploads first and hands them on. Can be reached from outside; no minimum.',
      },
      {
        title: 'Validator, L1',
        text: 'Stores, and audits the others: they have to show blocks they hold. 16 cores, 16 GB of memory, 2 TB of storage.',
      },
    ],
    earn: 'a month and device, in the network’s token',
    earnHow: 'Nothing is paid out on this testnet. It will be measured when rewards are.',
    get: 'Get the node',
    article: 'Run a node, step by step',
  },
  claims: {
    eyebrow: 'Aims',
    title: 'What we aim for, and what is measured',
    intro: 'A figure on this site is counted by this network or marked as a target. Nothing in between.',
    pcdn: {
      value: '75%',
      what: 'cheaper PCDN',
      how: 'Against list prices of large delivery networks. No traffic is sold yet.',
    },
    storage: {
      value: '90%',
      what: 'cheaper storage',
      how: 'Against list prices of large object stores. Storage is free on this testnet.',
    },
    uptime: {
      value: '99.99%',
      what: 'uptime',
      how: 'The average of all nodes over 30 days, or since they joined, from the recorded states of each.',
    },
    ips: {
      value: '200,000',
      what: 'residential IP addresses',
      how: 'Counted from nodes that are online, residential or not.',
    },
    countries: {
      value: '100+',
      what: 'countries',
      how: 'Counted from nodes that are online.',
    },
    cashback: {
      value: '6%',
      what: 'cashback for partners',
      how: 'Begins when services are sold. Partners can register their interest now.',
    },
  },
  articles: {
    eyebrow: 'Learn',
    title: 'Lately written',
    all: 'All articles',
    minutes: (count: number) => `${count} min`,
    types: { BASICS: 'Basics', NEWS: 'News', CASES: 'Case' },
  },
  end: {
    title: 'Leave a file, and watch it spread',
    text: 'Up to 100 MiB for a day, without an account. With one, files stay and can be shared with a password.',
    try: 'Upload a file',
    start: 'Create a free account',
  },
}

export type Texts = typeof texts
