import type { ServiceName } from '@tidenet/contract'

export const texts = {
  how: {
    eyebrow: 'How it works',
    title: 'Every byte is verified',
    intro:
      'Nodes belong to people you do not know, so the receiver verifies every byte: a node before it signs a receipt, and your program before it shows you a file.',
    steps: [
      {
        title: 'Split into blocks and hashed',
        text: 'The file is split into blocks of 256 KiB. Each block is hashed, and the hashes form a tree. Its root is the CID, which identifies exactly this content.',
        link: 'What a CID is',
        slug: 'what-is-a-cid',
      },
      {
        title: 'Copied from node to node',
        text: 'One node receives the file and signs a receipt. Other nodes pull copies from it and hash them. When a node is lost, its copies are recreated on other nodes.',
        link: 'Replicas, audits and repair',
        slug: 'replicas-audits-repair',
      },
      {
        title: 'Downloaded from several nodes, verified on arrival',
        text: 'A download requests blocks from several nodes at once. Each block is hashed on arrival; wrong or slow blocks are requested from another node.',
        link: 'How a download is verified',
        slug: 'how-a-download-is-verified',
      },
    ],
    drawings: {
      cut: 'A file is split into four blocks; their hashes form one root, the CID.',
      copy: 'One node has the file; four others pull copies. One goes offline, and its copy is recreated on another node.',
      fetch: 'Blocks arrive from three nodes. One is wrong and refused; the same block comes from another node.',
    },
  },
  services: {
    eyebrow: 'Services',
    title: 'One network, several services',
    intro: 'Each service shows its current state. For services that you cannot order yet, send us a request.',
    all: 'All services',
    list: [
      {
        to: '/tss',
        name: 'storage' as ServiceName,
        title: 'Cloud storage',
        text: 'Files and folders with links, passwords and expiry, keys with fine-grained permissions, encryption before upload, an SDK and a command line.',
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
        text: 'Public web pages collected through leased residential IP addresses, within the terms of each site.',
      },
      {
        to: '/aiproxy',
        name: 'aiProxy' as ServiceName,
        title: 'AI-agent proxy',
        text: 'Stable IP addresses for agents, by country.',
      },
    ],
  },
  code: {
    eyebrow: 'For developers',
    title: 'A few lines of code, for browsers and Node',
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
      'A node is one program, started with one command. Behind a router it serves browsers through relays, without any settings.',
    kinds: [
      {
        title: 'Edge, L2',
        text: 'Stores copies and serves them to users. Anyone can run one; 2 cores, 2 GB of memory and 10 GiB of storage are recommended.',
      },
      {
        title: 'Candidate, L1',
        text: 'Receives uploads and passes them on to other nodes. Publicly reachable; 4 cores, 8 GB of memory and 500 GiB of storage are recommended.',
      },
      {
        title: 'Validator, L1',
        text: 'Stores copies and audits other nodes, which must return the blocks they store. At least 16 cores, 16 GB of memory and 2 TB of storage.',
      },
    ],
    earn: 'a month per device, in the network’s token',
    earnHow: 'Today, devices earn points, which are worth a test coin. See what they really earned, and the formula.',
    get: 'Get the node',
    article: 'Run a node, step by step',
  },
  claims: {
    eyebrow: 'Targets',
    title: 'Targets and measurements',
    intro: 'Every figure on this site is either measured by this network or marked as a target.',
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
      how: 'Starts when services are sold. Partners can register their interest now.',
    },
  },
  articles: {
    eyebrow: 'Learn',
    title: 'Latest articles',
    all: 'All articles',
    minutes: (count: number) => `${count} min`,
    types: { BASICS: 'Basics', NEWS: 'News', CASES: 'Case' },
  },
  end: {
    title: 'Upload a file and see its copies spread',
    text: 'Up to 100 MiB for 24 hours, without an account. With an account, you store files for longer and share them with a password.',
    try: 'Upload a file',
    start: 'Create a free account',
  },
}

export type Texts = typeof texts
