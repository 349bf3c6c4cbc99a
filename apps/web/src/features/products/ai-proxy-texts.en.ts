export const texts = {
  eyebrow: 'AI agent proxy',
  title: 'A stable IP address for every task',
  intro:
    'An agent that books, compares or fills in forms sends many requests that belong together. If they come from many addresses, sites treat them as an attack. A proxy for agents keeps one IP address per session and uses another for the next session.',
  ask: 'Request an address pool',
  today: 'What agents can use today',
  state: 'The proxy is not available yet. People read each request; requests decide which countries come first.',
  drawing:
    'Two patterns over time. Above, a session keeps one of four addresses from the first request to the last; when the device goes offline, the session moves once. Below, each request uses another address.',
  labels: { sticky: 'one address per session', fresh: 'one address per request', moved: 'device offline' },

  modesTitle: 'Two modes',
  modes: [
    {
      name: 'One address per session',
      text: 'The agent appears as one visitor from the first request to the last. If the device goes offline, the session moves to another address in the same country, once, and the agent is notified.',
      for: 'Shopping carts, bookings, forms, anything with a session',
    },
    {
      name: 'One address per request',
      text: 'Unrelated requests are spread over many connections, with little load on each.',
      for: 'Comparing, checking whether a page is up, reading the same page from many places',
    },
  ],
  modeFor: 'For',

  limitsTitle: 'Limits that protect device owners',
  limitsIntro: 'An IP address is linked to its owner. These limits apply from the first request.',
  limits: [
    ['Explicit consent', 'Only connections whose owner has agreed to this use. Storing files is a separate choice.'],
    ['Limited bandwidth', 'Bytes per day and requests per minute, set by the owner and enforced on the device.'],
    ['Known agents', 'Each key belongs to an account and each session to a key, so requests can be traced.'],
    ['Public addresses only', 'Nothing inside the owner’s own network can be reached through the proxy.'],
    ['Encrypted content', 'The owner sees hosts and traffic, but not what is sent over https.'],
    ['Immediate stop', 'One switch stops all traffic. The agent’s session moves or ends.'],
  ] as readonly (readonly [string, string])[],

  todayTitle: 'What agents can use today',
  todayIntro: 'Agents also need storage that others can verify. It is available today.',
  tools: [
    [
      'Keys with six permissions',
      'Give an agent a key that can only upload files, and revoke it within a second.',
      '/key',
      'API keys',
    ],
    [
      'An API with one description',
      'Every call with its fields and errors in one OpenAPI file, generated from the server’s contract.',
      '/docs/api',
      'API reference',
    ],
    [
      'Verifiable results',
      'Everything an agent stores has a CID, so the next agent knows that it reads exactly this content.',
      '/learndetail?slug=what-is-a-cid',
      'What a CID is',
    ],
  ] as readonly (readonly [name: string, text: string, href: string, link: string])[],

  claimTitle: 'Claims and their evidence',
  ips: {
    value: '200,000',
    what: 'residential addresses',
    how: 'To be counted from nodes online that agreed to this use. Owners are not asked yet.',
  },
  countries: {
    value: '100+',
    what: 'countries',
    how: 'Counted from nodes that are online.',
  },

  requestTitle: 'Request an address pool',
  requestIntro: 'We reply what is possible, when, and with which limits.',
  hints: [
    'What the agents do',
    'In which countries they should appear',
    'How many sessions at once, and how long they last',
    'Which sites they visit, if it is known',
  ] as readonly string[],
  textLabel: 'What do your agents do, and where should they appear?',

  questions: [
    {
      q: 'Which protocol will it speak?',
      a: 'One that existing programs have: an HTTP proxy with a user name and a password, where the user name contains country and session. It is not final yet; tell us what you need.',
    },
    {
      q: 'May agents sign in somewhere?',
      a: 'To accounts of the person they act for, with that person’s permission, and where the site allows it. Making accounts, voting, reviewing and buying up tickets is refused.',
    },
    {
      q: 'What does it cost?',
      a: 'There is no price yet. It will depend on bytes, and the answer to a request names it.',
    },
    {
      q: 'How does it differ from AI data collection?',
      a: 'With data collection, we run a job for you and you get files. With the proxy, your own program sends the requests.',
    },
  ],
}

export type Texts = typeof texts
