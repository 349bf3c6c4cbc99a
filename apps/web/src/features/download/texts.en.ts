export const texts = {
  eyebrow: 'Testnet 3 and testnet 4',
  title: 'Programs for your machines',
  intro:
    'The command line transfers your files. The storage node leases out unused disk space. Each is a single download without further dependencies and runs wherever Node.js 20.19 runs.',
  toSingle: 'Download for this device',
  toCli: 'Command line',
  toNode: 'Storage node',
  note: (version: string) => `Version ${version}, with checksums. No account is needed to download.`,
  drawing: 'A machine reserves part of its disk and receives copies of blocks from the network.',

  listTitle: 'Availability by device',
  listIntro:
    'Each portal belongs to one network: this one to testnet 4. The same programs also work with the earlier testnet 3; the portal address selects the network.',
  networks: { 3: 'Testnet 3', 4: 'Testnet 4' },
  states: {
    available: 'Available',
    unpacked: 'Not offered here',
    noAddress: 'Address unknown',
    checking: 'Checking',
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
      systems: 'One file, x64',
      text: 'The storage node as a single file. tidenet-node install makes Windows start it by itself.',
    },
    mac: {
      title: 'Mac',
      systems: 'One file, Intel; Apple silicon with Rosetta',
      text: 'The storage node as a single file, not run by our tests yet. Otherwise run it with Node.js in Terminal.',
    },
    android: {
      title: 'Android',
      systems: 'Portal as an app, Termux',
      text: 'Install the portal as an app to watch your devices. The node itself runs in Termux.',
    },
    ios: {
      title: 'iOS',
      systems: 'App',
      text: 'An app will follow. For now, use the portal in Safari: upload, preview, share.',
    },
  },
  testnet3: 'Testnet 3',
  testnet3At: 'Its portal has the following address. Use it in the commands below instead of this portal’s address:',
  testnet3Text:
    'This portal does not know the address of testnet 3. Ask its operators, and use their address in the commands below.',

  single: {
    title: 'One file, nothing else to install',
    intro: 'Download the file for your system and start it. It contains everything that it needs.',
    system: 'System',
    platforms: {
      'linux-x64': 'Linux (x64)',
      'linux-arm64': 'Linux (ARM64)',
      'windows-x64': 'Windows (x64)',
      'macos-x64': 'macOS',
    },
    choose: 'Choose the system of the machine on which the program will run.',
    download: (system: string, size: string) => `Download for ${system}, ${size}`,
    untested:
      'The tests of this version did not run this file. If it does not start, use the program for Node.js below.',
    terminal: 'In a terminal',
    toEarn: 'To earn points with this machine, link it to your account. The command with your code is here:',
    none: 'This portal does not offer single files. Use the programs for Node.js below.',
    android: 'This device runs Android: its files are below, those here are for other machines.',
    ios: 'No program runs on this device. Choose the system of another machine.',
    toAndroid: 'To Android',
  },

  android: {
    title: 'Android',
    intro: 'Watch your devices with the portal as an app, and lease out a phone or TV box that stays plugged in.',
    watch: 'The portal as an app',
    watchText: 'It opens on your devices: what they store, what they earn, and whether they are online.',
    install: 'Install the app',
    installed: 'The app is installed.',
    steps: [
      'Open this portal in Chrome on the Android device.',
      'Open the menu with the three dots and choose “Add to home screen”, then “Install”.',
      'Start Tidenet from the home screen and sign in once.',
    ],
    termux: 'The storage node in Termux',
    termuxText:
      'Install Termux from F-Droid, then enter these lines. Allow it to run in the background and exclude it from battery optimization. Our tests do not cover Android.',
  },

  cliTitle: 'Command line',
  cliIntro: 'Sign in once, then transfer files with one command. Interrupted transfers resume where they stopped.',
  nodeTitle: 'Storage node',
  nodeIntro:
    'Anyone can run an edge node: start it and it appears on the map within seconds. Candidates store first copies, and validators audit other nodes, so both need an invitation.',
  install: { npm: 'Install with npm', unpack: 'Without installing', powershell: 'Windows (PowerShell)' },
  nodeWays: {
    edge: 'Edge',
    invited: 'Candidate or validator',
    powershell: 'Windows (PowerShell)',
    reachable: 'With a public address',
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
  noneTitle: 'This portal does not offer programs yet',
  noneText: 'The operator packages them with node tools/pack-downloads.mjs. Until then, run them from the repository.',
  failed: 'The list of programs could not be loaded',

  kindsTitle: 'Three kinds of nodes',
  kinds: [
    {
      name: 'Edge (L2)',
      who: 'Anyone',
      text: 'Stores copies and serves them to users. Any always-on machine with a few GiB of free space will do.',
      needs: ['2 cores', '2 GB RAM', '10 GiB of storage'],
    },
    {
      name: 'Candidate (L1)',
      who: 'By invitation',
      text: 'Receives uploads and stores first copies. It must be publicly reachable at an https address.',
      needs: ['4 cores', '8 GB RAM', '500 GiB of storage'],
    },
    {
      name: 'Validator (L1)',
      who: 'By invitation',
      text: 'Stores copies and audits other nodes: it verifies random blocks of the contents that they report to store.',
      needs: ['16 cores or more', '16 GB RAM or more', '2 TB of storage or more'],
    },
  ],
  minimum: 'Minimum',
  suggested: 'Recommended',
  askToken: 'Request a join token',

  stepsTitle: 'Lease out a machine',
  steps: [
    {
      title: 'Pick a machine that stays on',
      text: 'A node that misses three heartbeats counts as offline, and its copies are recreated on other nodes. A wired connection is better than wireless.',
    },
    {
      title: 'Choose how much storage to lease',
      text: 'The capacity is the most disk space the node uses. It stops accepting content before the disk is full.',
    },
    {
      title: 'Leave the router as it is',
      text: 'Behind a router, the node is reached through relays of the network, which see encrypted bytes only. If the router opens a port on request (UPnP) or the machine has a public address, no relay is needed. There is nothing to set up.',
    },
    {
      title: 'Start it and leave it running',
      text: 'A new edge gets few copies until it has passed its audits, which takes three days or more. Its identity is node.key in its data folder. Keep this file safe: a new key makes it a new node without history.',
    },
    {
      title: 'Watch it in the explorer',
      text: 'Uptime, copies, audits and measured speeds are public as soon as the node starts.',
    },
  ],
  earnings:
    'Devices with an owner earn points for signed traffic and paid storage. On this testnet, points are worth TTNT, a test coin without value elsewhere.',
  toEarn: 'What devices earn',
  toExplorer: 'Open the explorer',
  yours: 'Do you own this machine? Link it to your account to see its status and get an e-mail when it goes offline.',

  extensionTitle: 'Browser extension',
  extensionText: 'Shows your devices and what they earn, one click from the toolbar.',
  extensionKey:
    'It gets an API key that can read your devices and their earnings, and nothing else. It contacts this portal only.',
  extensionReady: 'The extension is available in your browser’s store.',
  extensionNone: 'This portal does not offer the extension yet. The operator packages it with npm run extension.',
  extensionChromium: 'Chrome, Edge and other Chromium browsers',
  extensionChromiumSteps: [
    'Download the file and unpack it into a folder that stays.',
    'Open chrome://extensions and turn on developer mode.',
    'Choose “Load unpacked” and the folder.',
  ],
  extensionFirefox: 'Firefox',
  extensionFirefoxSteps: [
    'Download the file.',
    'Open about:debugging#/runtime/this-firefox.',
    'Choose “Load Temporary Add-on” and the file. It stays until Firefox is closed, because it is not signed by a store.',
  ],
  extensionDownload: (size: string) => `Download the extension, ${size}`,
  toKeys: 'Create the key',
  toStore: 'Open the store',
}

export type Texts = typeof texts
