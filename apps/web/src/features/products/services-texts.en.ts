export const texts = {
  eyebrow: 'Services',
  title: 'What idle devices can do for you',
  intro:
    'An idle device has four resources to lease: storage, bandwidth, compute and an IP address. Each service uses some of them. The table shows the current state of each service.',
  start: 'Start with storage',
  table: 'See all services',
  drawing:
    'Four resources of a device and the services that use them: storage is used by cloud storage and PCDN, bandwidth by cloud storage, PCDN, AI data and AI proxy, compute by containers, the IP address by AI data and AI proxy. Solid lines mark available services.',
  resources: { storage: 'Storage', bandwidth: 'Bandwidth', processor: 'Compute', address: 'IP address' },

  tableTitle: 'All services and their current state',
  tableIntro: '“Available now” means that the service runs on this network and that you can start without a request.',
  columns: { service: 'Service', does: 'What you get', state: 'State', price: 'Price', begin: 'Start here' },
  simulatedPartner: 'The partner is simulated: its credits have no value.',
  services: {
    storage: {
      name: 'Cloud storage',
      does: 'Files and folders on leased devices, with links, keys, encryption and verified downloads.',
      price: 'Free: 100 MiB and 1 GiB of download traffic a month. VIP: on request.',
      begin: 'Try an upload',
    },
    anonymous: {
      name: 'Files without an account',
      does: 'One file of up to 100 MiB for 24 hours, with a link for 20 downloads.',
      price: 'Free',
      begin: 'Upload anonymously',
    },
    acceleration: {
      name: 'Delivery acceleration',
      does: 'Extra copies of a file or folder near its readers, with the measured time before and after.',
      price: 'Part of VIP and enterprise plans',
      begin: 'Compare plans',
    },
    thirdParty: {
      name: 'Third-party replicas',
      does: 'Five to ten further copies of a file on other storage networks, kept for 360 to 549 days.',
      price: 'Part of VIP and enterprise plans',
      begin: 'Compare plans',
    },
    network: {
      name: 'Node software',
      does: 'Lease out storage of your own machine. Every audit and transfer of your node is public.',
      price: 'Free. Devices earn points.',
      begin: 'Download',
    },
    pcdn: {
      name: 'PCDN and CDN',
      does: 'Delivery from devices at the edge, for downloads, video and updates.',
      price: 'No price list yet',
      begin: 'Request access',
    },
    aiData: {
      name: 'AI data collection',
      does: 'Public web pages as seen by local visitors, collected within rules and stored as a data set.',
      price: 'No price list yet',
      begin: 'Describe your project',
    },
    aiProxy: {
      name: 'AI agent proxy',
      does: 'One IP address for all requests of an agent’s session.',
      price: 'No price list yet',
      begin: 'Request access',
    },
    containers: {
      name: 'Containers',
      does: 'Machines by the hour, 1 to 32 cores, paid on chain with a free test coin.',
      price: (least: string) => `From ${least} an hour`,
      begin: 'See prices',
    },
    whisper: {
      name: 'Speech to text',
      does: 'Transcribes audio of up to ten minutes in ten languages.',
      price: 'Free, 3 a day',
      begin: 'Try it',
    },
    exchange: {
      name: 'Points exchange',
      does: 'Exchange TNT4 for credits of a partner AI service.',
      price: (usd: string, credits: string) => `1 TNT4 is ${usd} USD or ${credits} credits`,
      begin: 'Exchange',
    },
  },

  chooseTitle: 'What are you looking for?',
  choose: [
    ['I want to back up files', 'Encrypt, upload, and verify every download.', '/tss', 'Cloud storage'],
    ['I want to send files to someone', 'A link with expiry, password and download limit.', '/Upload', 'Upload a file'],
    ['I want to use an API', 'API keys with permissions, an SDK and a command line.', '/developer', 'Developers'],
    ['I have an idle device', 'Run a node: one program and one folder.', '/download', 'Download a node'],
  ] as readonly (readonly [name: string, text: string, href: string, link: string])[],

  claimTitle: 'Claims about networks like this one',
  claimIntro: 'Common claims, and what this network can show today.',
  claims: {
    cheaper: {
      value: '90%',
      what: 'cheaper storage',
      how: 'Will be compared with list prices of large clouds once there is a paid plan.',
    },
    delivery: {
      value: '75%',
      what: 'cheaper PCDN',
      how: 'Will be compared with public delivery prices, region by region.',
    },
    uptime: {
      value: '99.99%',
      what: 'uptime',
      how: 'The average of all nodes over 30 days, or since they joined, from the recorded states of each.',
    },
    ips: {
      value: '200,000',
      what: 'residential addresses',
      how: 'Counted from nodes that are online, residential or not.',
    },
    countries: {
      value: '100+',
      what: 'countries',
      how: 'Counted from nodes that are online.',
    },
    earnings: {
      value: '$5–30',
      what: 'a month for each device',
      how: 'Today, devices earn points, which are worth a test coin.',
    },
  },

  toEarn: 'What devices really earned, the formula and a calculator',

  statesTitle: 'What the states mean',
  states: {
    available: 'The portal has just checked that it has what the service needs. You can start now.',
    unavailable:
      'This version includes the service, but this portal currently lacks something that the service needs. The table says what.',
    request: 'Operators set up the service on request. Nothing is agreed until they reply.',
    planned: 'The service does not exist yet. Its page describes the plan and what you can use already.',
  },

  questions: [
    {
      q: 'Why show services that do not exist yet?',
      a: 'Requests decide what is built first, and limits, prices and rules can be discussed in advance. Planned services are always marked as such.',
    },
    {
      q: 'Do I need the coin to use storage?',
      a: 'No. Storage needs only an e-mail address, and you can try an upload without an account. The test coin pays for containers, and it is free.',
    },
    {
      q: 'Who operates this?',
      a: 'Devices belong to their owners. The servers behind this portal manage accounts, choose nodes for files and audit them; they do not store your files. Recordings for speech to text are an exception: they are kept in the database until a day after the text is complete.',
    },
  ],
}

export type Texts = typeof texts
