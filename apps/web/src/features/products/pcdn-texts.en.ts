export const texts = {
  eyebrow: 'PCDN and CDN',
  title: 'Content delivery from devices nearby',
  intro:
    'A CDN keeps copies in data centres. A PCDN also keeps them on always-on devices with idle bandwidth. Your origin sends each file once per region, and nodes nearby serve the visitors.',
  ask: 'Request PCDN',
  tryLink: 'Try it with a share link',
  state:
    'We arrange storage and download traffic for large deliveries on request. Delivery of shared files works automatically today.',
  drawing:
    'An origin sends one copy to each of three regions. In each region a node serves many visitors over short distances. Visitors do not connect to the distant origin.',
  labels: { origin: 'origin', once: 'once each', many: 'many times' },

  twoTitle: 'CDN and PCDN compared',
  two: {
    head: ['', 'CDN', 'PCDN'] as readonly string[],
    rows: [
      ['Copies are stored', 'in a few hundred data centres', 'on devices at the edge of the network'],
      ['Capacity is', 'built and paid for in advance', 'leased from device owners'],
      ['A visitor has a copy nearby if', 'a data centre is nearby', 'any device in the city takes part'],
      ['Devices go offline', 'rarely', 'often, so others must store the same content'],
      ['Content is', 'trusted', 'verified by the receiver'],
    ] as readonly (readonly string[])[],
  },
  twoNote:
    'The last two rows show why a PCDN needs a storage network. Ours identifies content by its hash, keeps several copies, audits them, and lets the receiver verify every block.',

  todayTitle: 'What works today',
  todayIntro:
    'Every shared file is already delivered this way. Upload one, share it, open the link from somewhere else.',
  today: [
    [
      'Fastest nodes first',
      'Anyone who opens a link gets up to twenty nodes that store the file, ordered by good transfers, measured speed and passed audits.',
    ],
    [
      'Many nodes at once',
      'Parts come from different nodes at the same time. If a node stalls for five seconds, another node sends its part.',
    ],
    ['Any part of a file', 'Byte ranges are supported: you can seek in videos and resume downloads.'],
    ['Only where you allow', 'A share can be limited to areas; nodes elsewhere do not serve it.'],
  ] as readonly (readonly [string, string])[],
  live: {
    title: 'The network right now',
    nodes: 'Nodes online',
    countries: 'Countries with nodes',
    moved: 'Transferred in 24 hours',
    see: 'See it live',
  },

  plannedTitle: 'On request and planned',
  planned: [
    [
      'On request',
      'A set of files under your account, stored in the areas you choose, with more download traffic than the free plan.',
    ],
    [
      'Planned',
      'Your own host name with a certificate; fetching missing files from your origin; purging files from all nodes at once.',
    ],
    [
      'Planned',
      'Choosing nodes by distance for every file. With a VIP or enterprise plan, delivery acceleration does so today; other copies are spread over countries.',
    ],
    ['Planned', 'Figures by host name and area, on the PCDN page of the console.'],
  ] as readonly (readonly [string, string])[],

  claimTitle: 'Claims and their evidence',
  cheaper: {
    value: '75%',
    what: 'cheaper than ordinary delivery',
    how: 'Will be compared with public prices for 10 TB a month, region by region, once there is a price list.',
  },
  countries: {
    value: '100+',
    what: 'countries',
    how: 'Counted from nodes that are online.',
  },

  requestTitle: 'Request PCDN',
  requestIntro: 'We reply whether this network can deliver it today and, if not, what is missing.',
  hints: [
    'What is delivered: downloads, video, updates, images',
    'How much in a month, and how much in the busiest hour',
    'Where your visitors are',
    'How you deliver it now, if you do',
  ] as readonly string[],
  textLabel: 'What would you deliver, how much, and where to?',

  questions: [
    {
      q: 'Can device owners read the content?',
      a: 'Yes, unless it is encrypted: public content is also public to the device owner. Encrypt private content before you upload it; then devices only see ciphertext.',
    },
    {
      q: 'Can a device change a file?',
      a: 'Not unnoticed. Clients that verify, such as our SDK and every page of this portal that downloads, reject a wrong block and request it from another node. A plain browser download trusts the node that sends it.',
    },
    {
      q: 'What does it cost?',
      a: 'There is no price list yet. The free plan includes 1 GiB of download traffic a month and VIP 1,000 GiB, and delivery by share links counts within that.',
    },
    {
      q: 'Is it suitable for live video?',
      a: 'Not today. Files are stored before they are delivered. Streams made of complete segments work, but a latency of less than a few seconds cannot be guaranteed.',
    },
  ],
}

export type Texts = typeof texts
