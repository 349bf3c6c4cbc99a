export const texts = {
  eyebrow: 'PCDN and CDN',
  title: 'Delivery from the house next door',
  intro:
    'A content delivery network keeps copies in data centres. A PCDN also keeps them on devices that are on anyway, behind lines that are paid for and mostly idle. Your origin sends a file once to each region; the rest of the way is short.',
  ask: 'Ask for PCDN',
  tryLink: 'Try it with a share link',
  state:
    'We arrange storage and download traffic for large deliveries on request. Delivery of shared files works automatically today.',
  drawing:
    'An origin sends one copy to each of three regions. In each region a node serves many visitors over short ways. The long way from a visitor to the origin is not taken.',
  labels: { origin: 'origin', once: 'once each', many: 'many times' },

  twoTitle: 'Two kinds of delivery, one next to the other',
  two: {
    head: ['', 'CDN', 'PCDN'] as readonly string[],
    rows: [
      ['Copies lie', 'in some hundred data centres', 'on devices at the edge of the network'],
      ['Capacity is', 'built and paid for in advance', 'leased from people who have it already'],
      ['A place is near when', 'a data centre is', 'anybody in town takes part'],
      ['A device may vanish', 'hardly ever', 'any evening; others must hold the same'],
      ['So a byte must be', 'trusted', 'checked by whoever receives it'],
    ] as readonly (readonly string[])[],
  },
  twoNote:
    'The last two lines are why a PCDN needs a storage network beneath it. Ours names content by its bytes, keeps several copies, audits them, and lets the receiver hash every block.',

  todayTitle: 'What delivers today',
  todayIntro:
    'Every file that is shared here is already served this way. Upload one, share it, open the link from somewhere else.',
  today: [
    [
      'The fastest first',
      'Whoever opens a link gets up to twenty nodes that hold the file, ordered by measured speed, standing and load.',
    ],
    [
      'Many nodes at once',
      'Parts come from different nodes at the same time. One that stalls for five seconds loses its part to another.',
    ],
    ['Any part of a file', 'Byte ranges work: films can be wound forward, and a download goes on where it stopped.'],
    ['Only where you allow', 'A share can be limited to areas; then no node elsewhere serves it.'],
  ] as readonly (readonly [string, string])[],
  live: {
    title: 'The network that would deliver for you, now',
    nodes: 'Nodes online',
    countries: 'Countries with nodes',
    moved: 'Moved in 24 hours',
    see: 'See it live',
  },

  plannedTitle: 'What is set up on request, and what is planned',
  planned: [
    [
      'On request',
      'A set of files under your account, stored in the regions you choose, with more download traffic than the free plan.',
    ],
    [
      'Planned',
      'Your own host name with a certificate; fetching from your origin when something is missing; taking files back everywhere at once.',
    ],
    [
      'Planned',
      'Choosing nodes by how near they are to the visitor. Today copies are spread over countries, and the fastest ones serve.',
    ],
    ['Planned', 'Figures by host name and area, on the PCDN page of the console.'],
  ] as readonly (readonly [string, string])[],
  console: 'The PCDN page of the console',

  claimTitle: 'Claims and what stands behind them',
  cheaper: {
    value: '75%',
    what: 'cheaper than ordinary delivery',
    how: 'To be compared with public prices for 10 TB a month, region by region. There is no price list here yet, so there is nothing to compare.',
  },
  countries: {
    value: '100+',
    what: 'countries',
    how: 'Counted from nodes that are online.',
  },

  requestTitle: 'Ask for PCDN',
  requestIntro: 'The answer says whether this network can carry it today, and if not, what is missing.',
  hints: [
    'What is delivered: downloads, video, updates, images',
    'How much in a month, and how much in the busiest hour',
    'Where those who fetch it are',
    'How it is delivered now, if it is',
  ] as readonly string[],
  textLabel: 'What would you deliver, how much, and where to?',

  questions: [
    {
      q: 'Can a device owner read what passes?',
      a: 'What is delivered to everybody is public, also to the owner of the device that delivers it. What is not public has to be encrypted before it is stored; then only ciphertext passes.',
    },
    {
      q: 'Can a device change a file?',
      a: 'Not unnoticed. Clients that verify, such as our SDK and every page of this portal that downloads, reject a wrong block and take it from elsewhere. A plain browser download trusts the node that sends it.',
    },
    {
      q: 'What does it cost?',
      a: 'There is no price list yet. The free plan includes 1 GiB of download traffic a month and VIP 1,000 GiB, and delivery by share links counts within that.',
    },
    {
      q: 'Is it suitable for live video?',
      a: 'Not today. What is delivered is a file that is stored first. Streams made of finished segments can be carried; latency below some seconds cannot be promised.',
    },
  ],
}

export type Texts = typeof texts
