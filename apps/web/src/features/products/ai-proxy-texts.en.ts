export const texts = {
  eyebrow: 'AI agent proxy',
  title: 'One way out that stays the same',
  intro:
    'An agent that books, compares or fills in a form makes fifty requests that belong together. When they come from fifty addresses, the site takes them for an attack. A proxy for agents keeps one address for one errand, and another for the next.',
  ask: 'Ask for an address pool',
  today: 'What agents can use today',
  state:
    'There is no proxy to point a program at yet. Requests are read by people and decide which countries come first.',
  drawing:
    'Two patterns over time. Above, an errand keeps one of four addresses from the first request to the last; when its owner leaves, it moves once. Below, each request takes another address.',
  labels: { sticky: 'one errand, one address', fresh: 'each request another', moved: 'owner left' },

  modesTitle: 'Two ways to go out',
  modes: [
    {
      name: 'One address for an errand',
      text: 'From the first request to the last the agent is one visitor. If the owner of the line switches off, the errand moves to another address in the same country, once, and the agent is told.',
      for: 'Baskets, bookings, forms, anything with a session',
    },
    {
      name: 'Another address each time',
      text: 'Requests that have nothing to do with each other share the work among many lines, each lightly.',
      for: 'Comparing, checking whether a page is up, reading the same page from many places',
    },
  ],
  modeFor: 'For',

  limitsTitle: 'What an owner lends, and what not',
  limitsIntro: 'An address is somebody’s name on the internet. These limits are set before the first request passes.',
  limits: [
    ['Agreed to, for this', 'Only lines whose owner has chosen this use. Storing files is another choice.'],
    ['A share of the line', 'Bytes a day and requests a minute, set by the owner, enforced on the device.'],
    ['Known agents', 'Each key belongs to an account, each errand to a key. What was asked for can be accounted for.'],
    ['Public addresses only', 'Nothing inside the owner’s own network can be reached through the proxy.'],
    ['Contents stay sealed', 'The owner sees which host is spoken to and how much, not what is said over https.'],
    ['Stopped at once', 'One switch ends all that passes. The agent’s errand moves or ends.'],
  ] as readonly (readonly [string, string])[],

  todayTitle: 'What agents can use today',
  todayIntro: 'An agent needs more than a way out. A memory that others can check is here already.',
  tools: [
    [
      'Keys with six permissions',
      'Give an agent a key that can add files and see nothing else, and take it back in a second.',
      '/key',
      'API keys',
    ],
    [
      'An API with one description',
      'Every call, its fields and its errors, in one OpenAPI file that is printed from what the server runs.',
      '/docs/api',
      'API reference',
    ],
    [
      'Results with a name',
      'What an agent stores has a CID: the next agent knows that it reads exactly this.',
      '/learndetail?slug=what-is-a-cid',
      'How names work',
    ],
  ] as readonly (readonly [name: string, text: string, href: string, link: string])[],

  claimTitle: 'Claims and what stands behind them',
  ips: {
    value: '200,000',
    what: 'residential addresses',
    how: 'To be counted from nodes online that agreed to this use. None are asked yet.',
  },
  countries: {
    value: '100+',
    what: 'countries',
    how: 'Counted from nodes that are online.',
  },

  requestTitle: 'Ask for an address pool',
  requestIntro: 'The answer says what can be had, when, and under which limits.',
  hints: [
    'What the agents do, in a sentence that their owner would sign',
    'In which countries they should appear',
    'How many errands at once, and how long one lasts',
    'Which sites they visit, if it is known',
  ] as readonly string[],
  textLabel: 'What do your agents do, and where should they appear?',

  questions: [
    {
      q: 'Which protocol will it speak?',
      a: 'One that existing programs have: an HTTP proxy with a user name and a password, where the user name carries country and errand. It is not fixed yet; say what yours needs.',
    },
    {
      q: 'May agents sign in somewhere?',
      a: 'To accounts of the person they act for, with that person’s leave, and where the site allows it. Making accounts, voting, reviewing and buying up tickets is refused.',
    },
    {
      q: 'What does it cost?',
      a: 'There is no price yet. It will depend on bytes, and the answer to a request names it.',
    },
    {
      q: 'How does it differ from AI data collection?',
      a: 'There, a job is written down and we run it; you get files. Here, your own program goes out; you get a way.',
    },
  ],
}

export type Texts = typeof texts
