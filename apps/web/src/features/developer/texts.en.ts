import type { Step } from './steps.ts'

export const texts = {
  copy: (what: string) => `Copy: ${what}`,
  eyebrow: 'For developers',
  title: 'Storage you call like a function',
  intro:
    'One key, one address, four ways in: the SDK for Node and for pages, the command line, and plain HTTP. SDK and command line check every byte that comes back against its content ID before you see it.',
  createKey: 'Create a key',
  reference: 'API reference',
  note: 'Keys are free. The free plan stores 100 MiB and sends 1 GiB a month.',
  drawing: 'A program names a file by its content ID; nodes send blocks; each block is hashed and compared.',
  drawn: { program: 'your program', block: 'block', checked: 'hash = CID' },

  hubTitle: 'Where to begin',
  hub: {
    keys: {
      title: 'Access keys',
      text: 'One for each program, with only the rights it needs. Shown once, revoked at once.',
    },
    sdk: {
      title: 'SDK',
      text: '@tidenet/storage: uploads that resume, verified downloads, folders, shares, keys. Typed, for Node 20.19 and browsers.',
    },
    cli: { title: 'Command line', text: 'tidenet up, ls, get, share. Each command answers in JSON when asked to.' },
    api: {
      title: 'API reader',
      text: 'Every operation with its parameters, answers and refusals, made from the same contract that the server runs on.',
    },
    openapi: { title: 'OpenAPI document', text: 'The same contract as JSON, for generators and for tests.' },
    explorer: {
      title: 'Network data',
      text: 'Nodes, areas, transfers and a stream of events, open to anybody without a key.',
    },
  },

  startTitle: 'From nothing to a file on the network',
  start: [
    {
      title: 'Create an account and a key',
      text: 'Sign up with an e-mail address, then create a key on the keys page. A normal key holds single rights, an admin key all of them.',
    },
    { title: 'Tell your program where the portal is', text: 'Two variables are enough for everything below.' },
    {
      title: 'Get the SDK or the command line',
      text: 'Both install from this portal with npm. For the SDK, save the upload example below as upload.mjs and run it.',
    },
  ],
  variables: 'Variables',
  sdkCommands: 'SDK',
  cliCommands: 'The command line',

  examplesTitle: 'Four things every program does',
  examplesIntro:
    'These are files of the repository. The tests run each of them against a network of their own before a version is released, so what you copy is what ran.',
  steps: {
    upload: {
      title: 'Upload',
      text: 'The file is hashed while it is read. The network may hold the same content already: then nothing is sent.',
    },
    list: {
      title: 'List',
      text: 'Folders first, then files, newest first. The hundredth page costs as much as the first.',
    },
    download: {
      title: 'Download',
      text: 'Ranges come from several nodes at once. A wrong or slow block comes from another node.',
    },
    share: { title: 'Share', text: 'A link with an end and a password, both checked by the server and by the node.' },
  } as Record<Step, { title: string; text: string }>,
  ways: { node: 'Node', browser: 'Browser', cli: 'Command line', curl: 'curl' },
  browserNote:
    'A key inside a page can be read by everybody who opens the page. Give it reading rights only, or let people sign in and use their own session.',
  allExamples: 'The repository holds one example for each of the 24 methods of the SDK, in the folder examples/.',

  envelopeTitle: 'What an answer looks like',
  envelopeIntro:
    'HTTP 200 and one envelope, whatever the operation. Real 4xx and 5xx mean that no operation answered: an unknown path, a body too large, too many requests.',
  envelopes: [
    { code: '{ "code": 0, "data": … }', text: 'Success. Each operation’s data is described in the reference.' },
    {
      code: '{ "code": -1, "err": 10018, "msg": "…" }',
      text: 'Refused: err is the number below, msg a sentence that can be shown to people.',
    },
    { code: '{ "code": 401, "msg": "…" }', text: 'No session, one that has ended, or a key that was deleted.' },
    {
      code: 'new-token: …',
      text: 'A header with a fresh session token: use it from the next call on. The SDK does so by itself.',
    },
  ],

  errorsTitle: 'Error codes',
  errorsIntro:
    'Two lists that never mix: the server’s refusals (err), and the codes with which the SDK answers (code). When the SDK passes on a refusal, the server’s number stays in data.err.',
  serverErrors: 'Refusals of the server',
  sdkCodes: 'Codes of the SDK',
  columns: { number: 'Number', name: 'Name', text: 'What it says' },
  filter: 'Search codes',
  noMatch: 'No code matches.',

  limitsTitle: 'Limits and constants',
  limitsIntro: 'Taken from the same file that server, nodes and SDK are built with.',
  limits: {
    freeStorage: 'Storage of the free plan',
    freeOutflow: 'Monthly download traffic of the free plan',
    vipStorage: 'Storage of a VIP account',
    tempFile: 'A file without an account',
    tempLife: 'Kept without an account for',
    tempDownloads: 'Downloads of a file without an account',
    tempPreviews: 'Previews of a file without an account, a day',
    kept: 'Free files are kept for',
    replicas: 'Copies aimed at, or as many as there are nodes',
    shareVisits: 'Downloads of a shared file by others',
    keys: 'Keys of an account, free and VIP',
    folders: 'Folders of an account, free and VIP',
    page: 'Rows of a page, usual and at most',
    chunk: 'Chunk of a file (leaf of its tree)',
    links: 'Links of an inner node',
    shard: 'Entries from which a folder is sharded, more than',
    nodeFile: 'The largest file that a node takes',
    concurrency: 'Chunks of a download at once',
    retries: 'Tries of an upload at one node',
    session: 'A session without signing in again',
  },
  unlimited: 'no limit',
  copies: (count: number) => `${count} copies`,
  times: (count: number) => `${count} times`,
  pair: (first: string, second: string) => `${first} and ${second}`,

  streamTitle: 'Watch the network live',
  streamIntro:
    'Server-sent events, without a key: the last 20 transfers first, then each as it happens, and the number of online nodes when it changes.',
  streamCode: 'Listening from a shell',
}

export type Texts = typeof texts
