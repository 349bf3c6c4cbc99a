export const texts = {
  contents: 'On this page',
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
    cases: 'Worked cases are in Learn.',
    toCases: 'Read the cases',
  },
}

export type Texts = typeof texts
