export const texts = {
  eyebrow: 'AI data collection',
  title: 'Public web data as local visitors see it',
  intro:
    'Web pages differ by country and often block data centres. Requests through leased residential IP addresses see what local visitors see, at the pace of a visitor, and within rules that protect the owners of the connections.',
  ask: 'Describe your collection',
  rules: 'Read the rules',
  state: 'Collections are not automated yet. Tell us what you need; we review each request.',
  drawing:
    'A job is checked against three rules, and one request is refused. The others go through homes in different places to a page and return as a data set with its own CID.',
  labels: { job: 'job', rules: 'rules', homes: 'homes', page: 'page', set: 'data set' },

  rulesTitle: 'What is collected, and what never is',
  rulesIntro:
    'Owners are responsible for their IP addresses. The rules are therefore part of the service and apply to all customers.',
  may: 'Allowed',
  mayList: [
    'Pages that anyone can open without signing in',
    'Prices, listings, timetables, search results, public registers',
    'Texts and images whose licence allows your use',
    'Your own pages, to see how they look from other places',
  ] as readonly string[],
  never: 'Refused',
  neverList: [
    'Anything behind a sign-in, a payment or a captcha',
    'Personal data collected to learn about private persons',
    'What the robots file of a site excludes',
    'More requests than the site can handle',
    'Votes, clicks, reviews, tickets, accounts: we only read',
  ] as readonly string[],

  pathTitle: 'How a collection will run',
  path: [
    ['You describe it', 'Which pages, how often, from which countries, for what use. We ask if something is unclear.'],
    [
      'We define a job',
      'With limits: hosts, paths, requests per minute and an end date. Requests outside the job are not possible.',
    ],
    [
      'Homes take part',
      'Owners who agreed to this kind of job, each within the bandwidth limit they set. They see hosts and traffic, and can stop at any time.',
    ],
    [
      'The data is stored',
      'Every response with its time, address and country, in one archive. The CID of the archive identifies exactly which data a model was trained on.',
    ],
    ['You download it', 'With a key that can only read this folder, or share a link with others.'],
  ] as readonly (readonly [string, string])[],

  todayTitle: 'Available today',
  todayText:
    'The last two steps use our storage and work today. A data set of a hundred thousand files is one upload with one CID; two laboratories can be sure that they train on the same data; read-only keys give others access.',
  todayActions: { storage: 'Cloud storage', keys: 'API keys', example: 'Worked example: two laboratories' },

  claimTitle: 'Claims and their evidence',
  ips: {
    value: '200,000',
    what: 'residential addresses',
    how: 'To be counted from nodes online that agreed to such jobs. Owners are not asked yet.',
  },
  countries: {
    value: '100+',
    what: 'countries',
    how: 'Counted from nodes that are online.',
  },

  requestTitle: 'Describe your collection',
  requestIntro: 'The more precise your request, the sooner we reply. If a rule forbids it, we tell you which one.',
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
      a: 'They belong to people who lease out part of their bandwidth and have agreed to this use. Running a storage node does not include this use.',
    },
    {
      q: 'Is it legal?',
      a: 'Reading public pages usually is; what one may do with them depends on the country, the licence and the data. That is why the use is part of the request. You remain responsible for it, and we refuse what the rules name.',
    },
    {
      q: 'What does it cost?',
      a: 'There is no price yet. It will depend on bytes and countries. We quote it in our reply, and nothing is charged before you agree.',
    },
    {
      q: 'I run a site and do not want to be collected',
      a: 'Exclude your site in its robots file; we respect it. If you believe that a request came from here, write to us with its time and address.',
    },
  ],
  siteOwner: 'Write to us',
}

export type Texts = typeof texts
