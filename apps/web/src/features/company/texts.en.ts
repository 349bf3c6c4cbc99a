/** Links to further pages. */
export type OnwardName =
  | 'upload'
  | 'network'
  | 'node'
  | 'services'
  | 'basics'
  | 'news'
  | 'cases'
  | 'changelog'
  | 'containers'
  | 'introduction'
  | 'developer'
  | 'encryption'
  | 'ask'

export const texts = {
  contents: 'On this page',
  onward: {
    title: 'Next steps',
    to: {
      upload: ['Upload a file', 'Without an account, kept for 24 hours, with a link to share.'],
      network: ['See the network', 'Its nodes, what they store and the transfers between them, live.'],
      node: ['Lease out a device', 'The node for Linux, Windows and Mac, with the commands.'],
      services: ['All services', 'What you can rent, and the state of each service.'],
      basics: ['How it works', 'Content IDs, copies, audits and repair, one at a time.'],
      news: ['News', 'What we built and what we learned.'],
      cases: ['Worked cases', 'Complete examples with commands you can copy.'],
      changelog: ['Release log', 'Every release, newest first.'],
      containers: ['Containers', 'What an order includes, and its price per hour.'],
      introduction: ['What the network is', 'Who provides what, and how files are transferred.'],
      developer: ['Build with it', 'SDK, command line and API, with examples that run.'],
      encryption: ['Encrypt before upload', 'Files that only you can read, and how to open them without us.'],
      ask: ['Contact us', 'A person reads your message and replies by e-mail.'],
    } as Record<OnwardName, readonly [string, string]>,
  },
  introduction: {
    eyebrow: 'What is the network',
    title: 'Storage and compute on leased devices',
    intro:
      'Owners lease idle resources of their devices, and customers rent them. The network places, audits and repairs files and does the accounting; everything can be verified.',
    try: 'Upload a file',
    node: 'Lease out a device',
  },
  about: {
    eyebrow: 'About',
    title: 'Built to be verifiable',
    intro: 'Our goals, the current state, and how to reach us.',
    write: 'Write to us',
  },
  blockchain: {
    eyebrow: 'The chain',
    title: 'What the chain is used for',
    intro: 'Orders, coins and rewards are settled on a public chain. Everything else stays off the chain.',
    containers: 'Container resources',
    explorer: 'Chain explorer',
  },
  privacy: {
    eyebrow: 'Privacy',
    title: 'What we store, for how long, and what we never store',
    intro: 'Based on the code, in plain words.',
  },
  changelog: {
    eyebrow: 'Release log',
    title: 'What changed',
    intro: 'Every release, newest first.',
  },
  ecology: {
    eyebrow: 'Ecosystem',
    title: 'Works with what you already use',
    intro:
      'Tidenet uses standard formats and protocols. This page lists those that we test, what you can do with them, and how.',
    all: 'All',
    kinds: { format: 'Formats', protocol: 'Protocols', tool: 'Tools', platform: 'Platforms' },
    use: 'Use',
    how: 'How',
    tested: 'Tested by',
    site: 'Website',
    close: 'Show less',
    open: 'Show how',
    filter: 'Kinds',
  },
}

export type Texts = typeof texts
