export const texts = {
  eyebrow: 'Cloud storage',
  title: 'Your files on many disks, checked to the last block',
  intro:
    'A file is named by its own bytes, copied to as many as fifty leased devices, and hashed again when it comes back. No single device is trusted with it, and none can change it unnoticed.',
  try: 'Try an upload',
  signUp: 'Create a free account',
  state: 'Uploads, folders, links, keys, SDK and command line run on this network today.',
  drawing:
    'A file is cut into four blocks; their hashes make one name, the CID. Four devices hold all blocks. One is switched off, and another fetches the missing copy.',
  cidNote: 'name',

  pathTitle: 'What happens to a file',
  pathIntro:
    'From choosing it to getting it back there are four steps, and each ends in something that can be checked.',
  path: [
    {
      title: 'Named',
      text: 'Your browser cuts the file into blocks of 262,144 bytes and hashes each. The hash of the hashes is the CID. The same bytes have the same name on every machine, also in Kubo.',
      proof: 'Proof: compute it yourself',
      slug: 'what-is-a-cid',
    },
    {
      title: 'Sent',
      text: 'It goes straight to a node, in one stream that can be resumed. The node hashes what arrives, writes it to disk and signs a receipt. Only then is it called stored.',
      proof: 'Proof: the signed receipt',
      slug: 'how-a-file-is-stored',
    },
    {
      title: 'Copied',
      text: 'Other nodes fetch it, first in countries that have none. Validators ask for random blocks about once a minute. Who fails is replaced; who vanishes is replaced after three and a half minutes.',
      proof: 'Proof: audits at random',
      slug: 'replicas-audits-repair',
    },
    {
      title: 'Fetched',
      text: 'Several nodes send different parts at once. Each block is hashed as it arrives; a wrong or slow one is taken from somebody else while the rest goes on.',
      proof: 'Proof: your own computer hashes',
      slug: 'how-a-download-is-verified',
    },
  ],

  doTitle: 'What you can do with it today',
  todo: [
    [
      'Folders and 10,000 files at once',
      'Drop a folder: it is packed, named and stored as one archive, and comes back as a tar.',
    ],
    [
      'Links with terms',
      'Permanent or for 3, 7 or 30 days; with a password of six characters; limited to areas. When you end a share, nobody new gets in.',
    ],
    [
      'Keys for programs',
      'Six separate permissions. A backup script can be allowed to add, and neither to read nor to delete.',
    ],
    [
      'Encryption before upload',
      'In the age format, in your browser or program. Nodes then hold bytes that nobody there can read.',
    ],
    ['Interrupted transfers', 'Close the lid, change the train: an upload goes on from the last whole piece.'],
    [
      'Thirty days to regret',
      'What you delete waits in the trash and can be put back with its links. It leaves early only when something new needs the room.',
    ],
  ] as readonly (readonly [string, string])[],

  plansTitle: 'What it costs',
  plansIntro:
    'The free plan needs an e-mail address and no card. VIP accounts are opened on request; there is no price list yet, so none is shown.',
  free: 'Free',
  vip: 'VIP',
  rows: {
    storage: 'Storage',
    outflow: 'Download traffic a month',
    visits: 'Downloads of a shared file by others',
    folders: 'Folders',
    keys: 'API keys',
    kept: 'Files are kept for',
    copies: 'Copies of each file',
    price: 'Price',
  },
  unlimited: 'No limit',
  months: '18 months',
  keptOn: 'As long as the plan runs',
  upTo: (count: number) => `up to ${count}`,
  nothing: 'Nothing',
  ask: 'On request',
  askButton: 'Ask about VIP',
  unit: 'Sizes are in powers of 1024, as the server counts them: 1 GiB is 1024 MiB.',
  claimTitle: 'Claims and what stands behind them',
  cheaper: {
    value: '90%',
    what: 'cheaper than large clouds',
    how: 'To be compared with published list prices of three large clouds for 1 TB a month, as soon as there is a paid price.',
  },
  uptime: {
    value: '99.99%',
    what: 'uptime',
    how: 'The average of all nodes over 30 days, or since they joined, from the recorded states of each.',
  },
  copies: {
    what: 'copies of each file',
    how: 'A network with fewer nodes makes as many copies as it has nodes online.',
    upTo: (copies: number) => `up to ${copies}`,
  },

  codeTitle: 'From a program',
  codeIntro:
    'The SDK runs in browsers and in Node, the command line in any shell. Both do the naming, sending, resuming and checking for you. This example is run by our tests.',
  codeLabel: 'Upload from Node',
  toDeveloper: 'Examples for every step',
  toApi: 'API reference',
  toCli: 'Command line',

  notTitle: 'What it is not',
  not: [
    [
      'Not private by itself',
      'The owner of a device can read what lies on it. Encrypt before uploading what must stay yours; it is one tick.',
    ],
    [
      'Not your only copy',
      'The network is young. Keep the original of what you cannot lose until you have fetched it back once and compared.',
    ],
    [
      'Not on the third-party network yet',
      'Five to ten further copies on a separate storage network, kept for 360 to 549 days, are planned. They count nowhere until they exist.',
    ],
  ] as readonly (readonly [string, string])[],

  questions: [
    {
      q: 'How large may a file be?',
      a: 'On the free plan as large as the room that is left: 100 MiB when it is empty. On VIP the same rule holds for 5 GiB. A node would take 100 GiB. Without an account it is 100 MiB, kept for 24 hours.',
    },
    {
      q: 'What if all devices that hold my file are switched off?',
      a: 'Then it cannot be fetched until one of them returns, and the file list says so. Copies are spread over countries to make that unlikely, and a copy that vanishes is replaced while others remain.',
    },
    {
      q: 'Can I leave again?',
      a: 'Yes. Files come back as they were, folders as tar, encrypted files open with the age tool. Names are those that ipfs add computes, so references stay valid elsewhere.',
    },
    {
      q: 'Do you see my files?',
      a: 'The servers see names, sizes and CIDs, never the bytes: those travel between you and the nodes. What can be seen by whom stands on the privacy page.',
    },
    {
      q: 'What is deleted when I delete?',
      a: 'In the portal it goes to the trash for up to 30 days, and its room is yours again at once. Then the nodes are told to remove their copies, unless somebody else stores the same bytes.',
    },
  ],
}

export type Texts = typeof texts
