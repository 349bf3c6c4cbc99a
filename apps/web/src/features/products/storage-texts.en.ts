export const texts = {
  eyebrow: 'Cloud storage',
  title: 'Your files on many devices, every block verified',
  intro:
    'Each file is identified by a hash of its content, copied to up to fifty leased devices, and verified when you download it. You do not have to trust any single device: changes are always detected.',
  try: 'Try an upload',
  signUp: 'Create a free account',
  state: 'Uploads, folders, links, keys, SDK and command line run on this network today.',
  drawing:
    'A file is split into four blocks; their hashes form the CID. Four devices store all blocks. One goes offline, and another device copies the file to replace it.',
  cidNote: 'hash',

  pathTitle: 'What happens to a file',
  pathIntro: 'There are four steps from upload to download, and you can verify each of them.',
  path: [
    {
      title: 'Hashed',
      text: 'Your browser splits the file into blocks of 262,144 bytes and hashes each. The hash of the hashes is the CID. The same bytes have the same CID on every machine, also in Kubo.',
      proof: 'Proof: compute it yourself',
      slug: 'what-is-a-cid',
    },
    {
      title: 'Uploaded',
      text: 'The file goes directly to a node in one resumable stream. The node hashes the data, writes it to disk and signs a receipt. Only then does it count as stored.',
      proof: 'Proof: the signed receipt',
      slug: 'how-a-file-is-stored',
    },
    {
      title: 'Copied',
      text: 'Other nodes copy it, first in countries without a copy. Validators audit random blocks of each node, every five minutes on average. A copy that fails two audits is replaced, and so are the copies of a node that is offline for three and a half minutes.',
      proof: 'Proof: random audits',
      slug: 'replicas-audits-repair',
    },
    {
      title: 'Downloaded',
      text: 'Several nodes send different parts at once. Each block is hashed on arrival; wrong or slow blocks are requested from another node while the rest continues.',
      proof: 'Proof: hashes computed on your device',
      slug: 'how-a-download-is-verified',
    },
  ],

  doTitle: 'What you can do today',
  todo: [
    [
      'Folders and 10,000 files at once',
      'Drop a folder: it is packed and stored as one archive, and downloaded as a tar file.',
    ],
    [
      'Links with limits',
      'Permanent or valid for 3, 7 or 30 days; with a six-character password; limited to areas. When you stop sharing, the link no longer opens.',
    ],
    [
      'Keys for programs',
      'Six separate permissions. A backup script can be allowed to upload, but not to read or delete.',
    ],
    [
      'Encryption before upload',
      'In the age format, in your browser or program. Node owners cannot read encrypted files.',
    ],
    ['Resumable uploads', 'An interrupted upload continues from the last complete part.'],
    [
      'Trash for 30 days',
      'You can restore deleted files and their links. Files are removed earlier only when new uploads need the space.',
    ],
  ] as readonly (readonly [string, string])[],

  plansTitle: 'Prices',
  plansIntro:
    'The free plan needs an e-mail address and no credit card. VIP accounts are available on request; there is no price list yet.',
  free: 'Free',
  vip: 'VIP',
  rows: {
    storage: 'Storage',
    outflow: 'Download traffic a month',
    visits: 'Downloads of a shared file by others',
    folders: 'Folders',
    keys: 'API keys',
    kept: 'Files are kept for',
    acceleration: 'Delivery acceleration: extra copies near readers',
    copies: 'Copies of each file',
    price: 'Price',
  },
  included: 'included',
  notIncluded: 'not included',
  unlimited: 'No limit',
  months: '18 months',
  keptOn: 'As long as the plan is active',
  upTo: (count: number) => `up to ${count}`,
  nothing: 'Free',
  ask: 'On request',
  askButton: 'Ask about VIP',
  unit: 'Sizes are in powers of 1024, as the server counts them: 1 GiB is 1024 MiB.',
  claimTitle: 'Claims and their evidence',
  cheaper: {
    value: '90%',
    what: 'cheaper than large clouds',
    how: 'Will be compared with published list prices of three large clouds for 1 TB a month, once there is a paid plan.',
  },
  uptime: {
    value: '99.99%',
    what: 'uptime',
    how: 'The average of all nodes over 30 days, or since they joined, from the recorded states of each.',
  },
  copies: {
    what: 'copies of each file',
    how: 'A network with fewer suitable nodes makes as many copies as it has of these.',
    upTo: (copies: number) => `up to ${copies}`,
  },

  codeTitle: 'From a program',
  codeIntro:
    'The SDK runs in browsers and in Node, the command line in any shell. Both hash, upload, resume and verify for you. Our tests run this example.',
  codeLabel: 'Upload from Node',
  toDeveloper: 'Examples for every step',
  toApi: 'API reference',
  toCli: 'Command line',

  notTitle: 'Limitations',
  not: [
    [
      'Not private without encryption',
      'The owner of a device can read what it stores. Encrypt private files before uploading; it takes one click.',
    ],
    [
      'Not your only copy',
      'The network is young. Keep your originals, at least until you have downloaded and compared the files once.',
    ],
  ] as readonly (readonly [string, string])[],

  thirdParty: {
    none: [
      'No copies at third parties here',
      'VIP and enterprise plans include five to ten further copies on other storage networks, kept for 360 to 549 days. This network has no provider for them yet.',
    ],
    simulated: [
      'Copies at third parties are simulated here',
      'VIP and enterprise plans include five to ten further copies on other storage networks, kept for 360 to 549 days. This network shows them with a simulation that stores nothing.',
    ],
    real: [
      'Third parties need your agreement',
      'VIP and enterprise plans include up to ten further copies on other storage networks, kept for 360 to 549 days. Encrypted files are copied, others only if you allow it: anyone who knows the CID can read them there.',
    ],
  } as Readonly<Record<'none' | 'simulated' | 'real', readonly [string, string]>>,

  questions: [
    {
      q: 'How large may a file be?',
      a: 'As large as your remaining storage: up to 100 MiB on the free plan and 5 GiB on VIP. A node accepts files of up to 100 GiB. Without an account the limit is 100 MiB, kept for 24 hours.',
    },
    {
      q: 'What if all devices that store my file are offline?',
      a: 'Then you cannot download it until one of them is back, and the file list says so. Copies are spread over countries to make this unlikely, and lost copies are replaced while others remain.',
    },
    {
      q: 'Can I move my files elsewhere?',
      a: 'Yes. You download files unchanged and folders as tar; encrypted files open with the age tool. CIDs are the same as those of ipfs add, so references stay valid elsewhere.',
    },
    {
      q: 'Do you see my files?',
      a: 'The servers see names, sizes and CIDs. The bytes travel between you and the nodes; only copies to and from third parties pass through a server. The privacy page lists who can see what.',
    },
    {
      q: 'What happens when I delete a file?',
      a: 'In the portal it goes to the trash for up to 30 days, and its storage is available again immediately. After that, nodes delete their copies, unless another account stores the same content.',
    },
  ],
}

export type Texts = typeof texts
