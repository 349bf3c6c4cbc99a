/** Where a page may lead on to. */
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
    title: 'From here',
    to: {
      upload: ['Upload a file', 'Without an account, kept for 24 hours, with a link to pass on.'],
      network: ['See the network', 'Its nodes, what they hold and what moves between them, live.'],
      node: ['Lease out a device', 'The node for Linux, Windows and Mac, with what to type.'],
      services: ['All services', 'What can be rented, and in which state each is.'],
      basics: ['How it works', 'One idea at a time: names, copies, checks, repair.'],
      news: ['News', 'What was built and what was found out on the way.'],
      cases: ['Worked cases', 'Commands that run as they are printed.'],
      changelog: ['Release log', 'Every release, newest first.'],
      containers: ['Containers', 'What an order will hold, and what it costs by the hour.'],
      introduction: ['What the network is', 'Who brings what, and how a file travels.'],
      developer: ['Build with it', 'SDK, command line and API, with examples that run.'],
      encryption: ['Encrypt before upload', 'What nobody but you can read, and how to open it without us.'],
      ask: ['Ask or object', 'A person reads it and answers by mail.'],
    } as Record<OnwardName, readonly [string, string]>,
  },
  introduction: {
    eyebrow: 'What is the network',
    title: 'Storage and compute on machines that people lease out',
    intro:
      'Owners lease idle parts of their devices. Customers rent them. The network places, checks and repairs, and keeps the books; nobody has to take anybody’s word for it.',
    try: 'Upload a file',
    node: 'Lease out a device',
  },
  about: {
    eyebrow: 'About',
    title: 'Built to be checked',
    intro: 'What we care about, in which state things are, and how to reach us.',
    write: 'Write to us',
  },
  blockchain: {
    eyebrow: 'The chain',
    title: 'A ledger for the few things that need one',
    intro: 'Orders, coins and rewards are settled where anyone can check them. Everything else stays off it.',
    containers: 'Container resources',
    explorer: 'Chain explorer',
  },
  privacy: {
    eyebrow: 'Privacy',
    title: 'What is kept, for how long, and what never is',
    intro: 'Written from the code, in plain words.',
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
      'Tidenet speaks formats and protocols that others speak as well. These are the ones we test against, with what you can do and how.',
    all: 'All',
    kinds: { format: 'Formats', protocol: 'Protocols', tool: 'Tools', platform: 'Platforms' },
    use: 'What for',
    how: 'How',
    tested: 'How we know',
    site: 'To its site',
    close: 'Show less',
    open: 'Show how',
    filter: 'Kinds',
  },
}

export type Texts = typeof texts
