export const texts = {
  eyebrow: 'AI data collection',
  title: 'The public web, as the people of a place see it',
  intro:
    'Pages answer differently in different countries, and to a data centre often not at all. Requests that leave through leased home lines see what a visitor there would see, at the pace of a visitor, and within rules that protect whose line it is.',
  ask: 'Describe your collection',
  rules: 'Read the rules',
  state:
    'No collection runs by itself yet. Tell us what you need; people look at each request before anything is agreed.',
  drawing:
    'A job passes a gate with three rules. One request is stopped there. Those that pass leave through homes in different places, reach a page, and come back as a data set with a name of its own.',
  labels: { job: 'job', rules: 'rules', homes: 'homes', page: 'page', set: 'data set' },

  rulesTitle: 'What is collected, and what never is',
  rulesIntro:
    'Whoever lends a line has a name at its address. So the rules are part of the service, and they hold for paying customers as well.',
  may: 'May be asked for',
  mayList: [
    'Pages that anyone can open without signing in',
    'Prices, listings, timetables, search results, public registers',
    'Texts and images whose licence allows the use that you describe',
    'Pages of your own, to see how they look from elsewhere',
  ] as readonly string[],
  never: 'Is refused',
  neverList: [
    'Anything behind a sign-in, a payment or a captcha',
    'Data about private persons, collected to know about them',
    'What the robots file of a site excludes',
    'More requests than the site bears: its pace counts, not ours',
    'Votes, clicks, reviews, tickets, accounts: we read, we do not act',
  ] as readonly string[],

  pathTitle: 'How a collection will run',
  path: [
    [
      'You describe it',
      'Which pages, how often, from which countries, for what use. A person asks back where something is unclear.',
    ],
    [
      'It is written down',
      'As a job with limits: hosts, paths, requests a minute, an end. What is not in the job cannot be asked for.',
    ],
    [
      'Homes take part',
      'Owners who agreed to this kind of job, each only in the share of the line that they set. They see the hosts and the bytes, and can stop at any moment.',
    ],
    [
      'It is stored',
      'Every answer with its time, address and country, packed as an archive. The archive gets a CID, so that a model trained on it can say on exactly what.',
    ],
    [
      'You fetch it',
      'With a key that can read this folder and nothing else. Or somebody else fetches it, by the link that you give.',
    ],
  ] as readonly (readonly [string, string])[],

  todayTitle: 'The part that stands today',
  todayText:
    'The last two steps are our storage, and they run. A data set of a hundred thousand files is one upload and one name; two laboratories can be sure that they train on the same bytes; a key can be given that reads and does nothing else.',
  todayActions: { storage: 'Cloud storage', keys: 'API keys', example: 'Worked example: two laboratories' },

  claimTitle: 'Claims and what stands behind them',
  ips: {
    value: '200,000',
    what: 'residential addresses',
    how: 'To be counted from nodes online that agreed to such jobs. None are asked yet.',
  },
  countries: {
    value: '100+',
    what: 'countries',
    how: 'Counted from nodes that are online.',
  },

  requestTitle: 'Describe your collection',
  requestIntro:
    'The clearer it is, the sooner the answer. If it cannot be done within the rules, the answer says which rule.',
  hints: [
    'Which sites or kinds of pages',
    'How many pages, and how often',
    'From which countries or cities they should be seen',
    'What the data is for, and who will have it',
    'In which form you need it',
  ] as readonly string[],
  textLabel: 'What should be collected, from where, and what for?',

  questions: [
    {
      q: 'Whose addresses are these?',
      a: 'Those of people who will lease out a share of their line and have agreed to this use of it in particular. Storing files on a node does not make its line part of this.',
    },
    {
      q: 'Is it legal?',
      a: 'Reading public pages usually is; what one may do with them depends on the country, the licence and the data. That is why the use is part of the request. You remain responsible for it, and we refuse what the rules name.',
    },
    {
      q: 'What does it cost?',
      a: 'There is no price yet. It will depend on bytes and countries. The answer to your request names it, and nothing is charged before you agree.',
    },
    {
      q: 'I run a site and do not want to be collected',
      a: 'Write it in your robots file, and it is respected. If you believe that a request came from here, write to us with its time and address.',
    },
  ],
  siteOwner: 'Write to us',
}

export type Texts = typeof texts
