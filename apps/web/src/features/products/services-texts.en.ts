export const texts = {
  eyebrow: 'Services',
  title: 'What idle devices can do for you',
  intro:
    'An idle device has four resources to lease: storage, bandwidth, compute and an IP address. Each service uses some of them. The table shows the current state of each service.',
  start: 'Start with storage',
  table: 'See the whole table',
  drawing:
    'Four things that a device has, connected with the services made of them: room with storage and PCDN, the line with storage, PCDN, AI data and AI proxy, the processor with containers, the address with AI data and AI proxy. Solid lines stand for what is available.',
  resources: { room: 'Room', line: 'Line', processor: 'Processor', address: 'Address' },

  tableTitle: 'All services and their true state',
  tableIntro: 'Available now means that it runs on this network and that you can begin without asking anyone.',
  columns: { service: 'Service', does: 'What you get', state: 'State', price: 'Price', begin: 'Begin with' },
  services: {
    storage: {
      name: 'Cloud storage',
      does: 'Files and folders on leased devices, with links, keys, encryption and verified downloads.',
      price: 'Free: 100 MiB and 1 GiB of download traffic a month. VIP: on request.',
      begin: 'Try an upload',
    },
    anonymous: {
      name: 'Files without an account',
      does: 'One file of up to 100 MiB for 24 hours, with a link that others can open 20 times.',
      price: 'Free',
      begin: 'Leave a file',
    },
    network: {
      name: 'Node software',
      does: 'Lease out room of your own machine; every audit and transfer of your node can be looked up.',
      price: 'Free. Rewards are planned.',
      begin: 'Download',
    },
    pcdn: {
      name: 'PCDN and CDN',
      does: 'Delivery from devices at the edge, for downloads, video and updates.',
      price: 'No price list yet',
      begin: 'Ask for it',
    },
    aiData: {
      name: 'AI data collection',
      does: 'Public pages as people of a place see them, within rules, stored as a data set.',
      price: 'No price list yet',
      begin: 'Describe it',
    },
    aiProxy: {
      name: 'AI agent proxy',
      does: 'A way out that stays the same for one errand of an agent.',
      price: 'No price list yet',
      begin: 'Ask for it',
    },
    containers: {
      name: 'Containers',
      does: 'Machines by the hour, 1 to 32 cores, paid on chain with a free test coin.',
      price: (least: string) => `From ${least} an hour`,
      begin: 'See prices',
    },
    whisper: {
      name: 'Speech to text',
      does: 'Audio of up to ten minutes in ten languages becomes a text.',
      price: 'Free, 3 a day',
      begin: 'Look at it',
    },
    exchange: {
      name: 'Points exchange',
      does: 'TNT4 becomes credits at a partner AI service.',
      price: '1 TNT4 is 0.0508 USD',
      begin: 'Calculate',
    },
  },

  chooseTitle: 'What are you looking for?',
  choose: [
    ['I want to keep something safe', 'Encrypt it, store it, fetch it back verified.', '/tss', 'Cloud storage'],
    ['I want to give something to somebody', 'A link with an end, a password and a count.', '/Upload', 'Leave a file'],
    ['I want my program to do it', 'A key for just that, an SDK, a command line.', '/developer', 'Developers'],
    ['I have a machine to spare', 'One program, one folder, one address on the map.', '/download', 'Download a node'],
  ] as readonly (readonly [name: string, text: string, href: string, link: string])[],

  claimTitle: 'Figures that you may have heard',
  claimIntro: 'What is said of networks like this one, and what this one can show for it today.',
  claims: {
    cheaper: {
      value: '90%',
      what: 'cheaper storage',
      how: 'To be compared with list prices of large clouds once there is a paid price.',
    },
    delivery: {
      value: '75%',
      what: 'cheaper PCDN',
      how: 'To be compared with public delivery prices, region by region.',
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
      how: 'Rewards are not paid yet, so nothing has been earned. It will be shown from statements.',
    },
  },

  statesTitle: 'What the states mean',
  states: {
    available: 'The service runs here, as the portal has just checked. You can start now.',
    unavailable:
      'This version includes the service, but this portal currently lacks something that the service needs. The table says what.',
    request: 'People do part of it, when you ask. Nothing is promised before they have answered.',
    planned: 'It does not exist yet. Its page says what it will be and what of it can be seen already.',
  },

  questions: [
    {
      q: 'Why show services that do not exist yet?',
      a: 'Because what people ask for decides what is built first, and because the numbers that matter to them, bounds, prices and rules, can be discussed before. A service that is not there never looks as if it were.',
    },
    {
      q: 'Do I need the coin to use storage?',
      a: 'No. Storage needs an e-mail address, and a first upload not even that. The test coin is for containers, and it is free.',
    },
    {
      q: 'Who operates this?',
      a: 'Devices belong to their owners. The servers behind this portal place files, check devices and keep accounts; they never hold your files.',
    },
  ],
}

export type Texts = typeof texts
