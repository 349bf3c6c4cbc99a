import type { Step } from './steps.ts'

export const texts = {
  copy: (what: string) => `Copy: ${what}`,
  eyebrow: 'For developers',
  title: 'Storage you call like a function',
  intro:
    'One key and one address for all clients: the SDK for Node and browsers, the command line, and plain HTTP. The SDK and the command line verify every downloaded byte against its content ID.',
  createKey: 'Create a key',
  reference: 'API reference',
  note: 'Keys are free. The free plan includes 100 MiB of storage and 1 GiB of download traffic a month.',
  drawing: 'A program requests a file by its content ID; nodes send blocks; each block is hashed and compared.',
  drawn: { program: 'your program', block: 'block', checked: 'hash = CID' },

  hubTitle: 'Get started',
  hub: {
    start: {
      title: 'Quick start',
      text: 'From a key to a first verified upload with the command line, the SDK, curl, S3 or MCP.',
    },
    agents: {
      title: 'AI agents',
      text: 'Tools for agents over MCP, with keys that have monthly caps of traffic and orders.',
    },
    keys: {
      title: 'API keys',
      text: 'One for each program, with only the permissions it needs. Shown once; can be revoked immediately.',
    },
    sdk: {
      title: 'SDK',
      text: '@tidenet/storage: resumable uploads, verified downloads, folders, shares, keys. Typed, for Node 20.19 and browsers.',
    },
    cli: { title: 'Command line', text: 'tidenet up, ls, get, share. Every command has JSON output.' },
    ipfs: { title: 'IPFS', text: 'Publish files and folders by their CID, for browsers, curl and Kubo.' },
    imports: { title: 'Imports', text: 'Bring files from a web address, from IPFS or from another S3.' },
    s3: { title: 'S3', text: 'rclone, restic, the AWS CLI and SDKs, with the access key of an API key.' },
    api: {
      title: 'API reader',
      text: 'Every operation with its parameters, responses and errors, generated from the contract that the server runs on.',
    },
    openapi: { title: 'OpenAPI document', text: 'The same contract as JSON, for generators and for tests.' },
    explorer: {
      title: 'Network data',
      text: 'Nodes, areas, transfers and an event stream, available to everyone without a key.',
    },
  },

  startTitle: 'Upload your first file',
  start: [
    {
      title: 'Create an account and a key',
      text: 'Sign up with an e-mail address, then create a key on the keys page. A normal key has selected permissions, an admin key has all of them.',
    },
    { title: 'Set the address and the key', text: 'All examples below use these two variables.' },
    {
      title: 'Get the SDK or the command line',
      text: 'Both install from this portal with npm. For the SDK, save the upload example below as upload.mjs and run it.',
    },
  ],
  variables: 'Variables',
  sdkCommands: 'SDK',
  cliCommands: 'The command line',

  examplesTitle: 'Four things every program does',
  examplesIntro: 'These are files of the repository. Our tests run each of them before every release.',
  steps: {
    upload: {
      title: 'Upload',
      text: 'The file is hashed while it is read. If the network already has the same content, nothing is sent.',
    },
    list: {
      title: 'List',
      text: 'Folders first, then files, newest first. The hundredth page is as fast as the first.',
    },
    download: {
      title: 'Download',
      text: 'Ranges come from several nodes at once. Wrong or slow blocks are requested from another node.',
    },
    share: { title: 'Share', text: 'A link with expiry and password, both checked by the server and by the node.' },
  } as Record<Step, { title: string; text: string }>,
  ways: { node: 'Node', browser: 'Browser', cli: 'Command line', curl: 'curl' },
  browserNote:
    'Anyone who opens a page can read a key in it. Give such a key read permissions only, or let users sign in and use their own session.',
  allExamples: 'The repository holds one example for each method of the SDK, in the folder examples/.',

  envelopeTitle: 'Response format',
  envelopeIntro:
    'Every operation returns HTTP 200 and the same envelope. HTTP 4xx and 5xx mean that no operation was called: an unknown path, a body that is too large, too many requests.',
  envelopes: [
    { code: '{ "code": 0, "data": … }', text: 'Success. Each operation’s data is described in the reference.' },
    {
      code: '{ "code": -1, "err": 10018, "msg": "…" }',
      text: 'Refused: err is one of the codes below, msg is a message for users.',
    },
    { code: '{ "code": 401, "msg": "…" }', text: 'No session, an expired session, or a deleted key.' },
    {
      code: 'new-token: …',
      text: 'A header with a fresh session token: use it for all following calls. The SDK does this automatically.',
    },
  ],

  errorsTitle: 'Error codes',
  errorsIntro:
    'There are two separate lists: errors of the server (err) and codes of the SDK (code). When the SDK passes on a server error, the server’s code is in data.err.',
  serverErrors: 'Server errors',
  sdkCodes: 'SDK codes',
  columns: { number: 'Number', name: 'Name', text: 'Meaning' },
  filter: 'Search codes',
  noMatch: 'No code matches.',

  limitsTitle: 'Limits and constants',
  limitsIntro: 'From the same source that the server, nodes and SDK use.',
  limits: {
    freeStorage: 'Storage of the free plan',
    freeOutflow: 'Monthly download traffic of the free plan',
    vipStorage: 'Storage of a VIP account',
    tempFile: 'Size of an anonymous file',
    tempLife: 'Anonymous files are kept for',
    tempDownloads: 'Downloads of an anonymous file',
    tempPreviews: 'Previews of an anonymous file per day',
    kept: 'Free files are kept for',
    replicas: 'Target number of copies, or the number of nodes if lower',
    shareVisits: 'Downloads of a shared file by others',
    keys: 'Keys per account, free and VIP',
    folders: 'Folders per account, free and VIP',
    page: 'Rows per page, default and maximum',
    chunk: 'Chunk of a file (leaf of its tree)',
    links: 'Links per inner block',
    shard: 'A folder is sharded with more entries than',
    nodeFile: 'Largest file that a node accepts',
    concurrency: 'Parallel chunks of a download',
    retries: 'Upload attempts per node',
    session: 'Session lifetime',
  },
  unlimited: 'no limit',
  copies: (count: number) => `${count} copies`,
  times: (count: number) => `${count} times`,
  pair: (first: string, second: string) => `${first} and ${second}`,

  streamTitle: 'Watch the network live',
  streamIntro:
    'Server-sent events without a key: first the last 20 transfers, then every new transfer, and the number of online nodes when it changes.',
  streamCode: 'Listen from a shell',
}

export type Texts = typeof texts
