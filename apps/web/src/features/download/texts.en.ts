export const texts = {
  eyebrow: 'Testnet 3 and testnet 4',
  title: 'Programs for your machines',
  intro:
    'The command line moves your files. The storage node leases out room that your machine does not use. Both are one download each, run wherever Node.js 20.19 runs, and bring everything else with them.',
  toCli: 'Command line',
  toNode: 'Storage node',
  note: (version: string) => `Version ${version}, with checksums. No account is needed to download.`,
  drawing: 'A machine sets part of its disk aside; copies of blocks come to it from the network.',

  listTitle: 'What there is for which device',
  listIntro:
    'One portal belongs to one network. The same programs join testnet 4, which this portal is part of, and testnet 3 before it: the address of the portal says which.',
  networks: { 3: 'Testnet 3', 4: 'Testnet 4' },
  states: {
    available: 'Available',
    unpacked: 'Not offered here',
    noAddress: 'Address unknown',
    checking: 'Checking',
    none: 'No app yet',
    later: 'Coming soon',
  },
  devices: {
    cli: {
      title: 'Command line',
      systems: 'Linux, macOS, Windows',
      text: 'Upload, list, download, share, keys, start a node. Tested on Linux with every build.',
    },
    node: {
      title: 'Storage node',
      systems: 'Linux, macOS, Windows',
      text: 'Edge, candidate and validator in one program. Tested on Linux with every build.',
    },
    windows: {
      title: 'Windows',
      systems: 'App with a window',
      text: 'There is no installer yet. Today the two programs above run in PowerShell.',
    },
    mac: {
      title: 'Mac',
      systems: 'App with a window',
      text: 'There is no installer yet. Today the two programs above run in Terminal.',
    },
    android: {
      title: 'Android',
      systems: 'App',
      text: 'There is no app yet. Today the portal works in the browser of the phone: upload, preview, share.',
    },
    ios: {
      title: 'iOS',
      systems: 'App',
      text: 'An app follows the one for Android. Today the portal works in Safari: upload, preview, share.',
    },
  },
  testnet3: 'Testnet 3',
  testnet3At:
    'Its portal has the following address. Use it in the commands below instead of the address of this portal:',
  testnet3Text:
    'This portal does not keep the address of testnet 3. Whoever runs it gives it to you; put it where the commands below name this portal.',

  cliTitle: 'Command line',
  cliIntro: 'Sign in once, then files are a word away. Interrupted transfers go on where they were.',
  nodeTitle: 'Storage node',
  nodeIntro:
    'An edge needs nobody’s leave: start it and it appears on the map within seconds. Candidates and validators hold first copies and judge others, so they are invited.',
  install: { npm: 'Install with npm', unpack: 'Without installing', powershell: 'Windows (PowerShell)' },
  nodeWays: {
    edge: 'Edge',
    invited: 'Candidate or validator',
    powershell: 'Windows (PowerShell)',
    reachable: 'Reachable from outside',
  },
  file: 'File',
  version: 'Version',
  size: 'Size',
  packed: 'Packed',
  needs: 'Needs',
  needsNode: (version: string) => `${version} or newer`,
  checksum: 'SHA-256',
  copyChecksum: 'Copy the checksum',
  check: 'Check the file',
  download: (file: string) => `Download ${file}`,
  notes: 'In this version',
  noneTitle: 'This portal has not packed its programs',
  noneText: 'Its operator packs them with node tools/pack-downloads.mjs. Until then they run from the repository.',
  failed: 'The list of programs could not be loaded',

  kindsTitle: 'Three kinds of nodes',
  kinds: [
    {
      name: 'Edge (L2)',
      who: 'Anybody',
      text: 'Holds copies and serves them near the people who ask. Any always-on machine with a few GiB to spare.',
      needs: ['2 cores', '2 GB RAM', '10 GiB of room'],
    },
    {
      name: 'Candidate (L1)',
      who: 'By invitation',
      text: 'Takes uploads and holds first copies. It must be reachable from outside under an https address.',
      needs: ['4 cores', '8 GB RAM', '500 GiB of room'],
    },
    {
      name: 'Validator (L1)',
      who: 'By invitation',
      text: 'Does what a candidate does and audits the others: it walks from a content ID to a random block that another node claims to hold.',
      needs: ['16 cores or more', '16 GB RAM or more', '2 TB of storage or more'],
    },
  ],
  minimum: 'Needs at least',
  suggested: 'Suggested',
  askToken: 'Ask for a join token',

  stepsTitle: 'Lease out a machine',
  steps: [
    {
      title: 'Pick a machine that stays on',
      text: 'A node that misses three heartbeats counts as offline and its copies are made elsewhere. Wired is better than wireless.',
    },
    {
      title: 'Decide how much it may hold',
      text: 'The capacity is the most that it will ever use. The node stops taking contents before the disk is full.',
    },
    {
      title: 'Make it reachable, if you can',
      text: 'A node behind a router can join, but hands its copies to nobody, so it is given few. To serve people and other nodes it needs an address that they reach: forward a port and name it with --public-url.',
    },
    {
      title: 'Start it and leave it running',
      text: 'Its identity is node.key in its data folder. Keep that file: a new key is a new node with no history.',
    },
    {
      title: 'Watch it in the explorer',
      text: 'Uptime, copies, audits and measured speeds are public from the first minute.',
    },
  ],
  earnings:
    'The test networks pay nothing out yet. What a later reward would be reckoned from is measured already: uptime, copies held, audits passed, bytes sent.',
  toExplorer: 'Open the explorer',
  yours: 'Is the machine yours? Link it to your account: you see how it is, and get a mail when it goes offline.',

  extensionTitle: 'Browser extension',
  extensionText:
    'The extension is not in a store yet, and there is nothing to install today. An account on this portal is what it will sign in with.',
  extensionReady: 'The extension is in the store of your browser.',
  toStore: 'Open the store',
  toSignUp: 'Create an account',
  tell: 'Tell me when it is there',
}

export type Texts = typeof texts
