export const texts = {
  title: 'IPFS',
  intro:
    'Publish files and folders by their CID. Browsers, curl, Kubo and other IPFS clients read them from a public gateway.',
  publish: 'Publish',
  publishText: 'Choose “Publish on IPFS” in the menu of a file or folder, or use the command line:',
  publishCode: 'commands to publish',
  facts: [
    ['Who can read it', 'Everybody, by its CID, for as long as it is published. There is no password.'],
    [
      'Cost',
      'What others read counts as your download traffic. Visitors from one network can use a quarter of your monthly quota in a day, or 10 GiB if that is more.',
    ],
    [
      'Folders',
      'A folder is published as it is at that time, with up to 5,000 files. Publish it again to include changes: it then has another CID. Files that you delete or replace are no longer served.',
    ],
    [
      'Not possible',
      'Encrypted files, files that this account neither uploaded nor imported itself, and blocked content.',
    ],
    [
      'Limits',
      '1,000 items, 20,000 files in folders, and 1,000,000 blocks (256 GiB in blocks of 256 KiB) per account.',
    ],
    ['End', 'Unpublishing stops our gateways within seconds. Caches and people elsewhere may keep copies for ever.'],
  ],
  read: 'Read',
  gateway: 'Gateway',
  copyGateway: 'Copy the address of the gateway',
  noGateway: 'This network has no public gateway, so nothing can be published.',
  ways: { curl: 'curl', kubo: 'Kubo' },
  wayTexts: {
    curl: 'A file or the list of a folder, a file of a folder, and an archive (CAR) that can be verified block by block.',
    kubo: 'Kubo finds what is published by delegated routing, fetches it over HTTP and verifies every block.',
  },
  serves: 'What the gateway serves',
  servesRows: [
    ['Blocks', '?format=raw'],
    ['Archives', '?format=car, with dag-scope, entity-bytes and car-dups'],
    ['Files and folders', 'With ranges, index.html and lists. Pages run no scripts.'],
    ['Providers', 'The gateway itself, at /routing/v1/providers/<CID>'],
    ['Not served', 'IPNS names (501), other formats (406), and what nobody has published (404).'],
  ],
  into: 'Bring content from IPFS',
  intoText:
    'Choose “Upload”, then “Import from elsewhere” on the page “Files”, or run “tidenet import cid <CID>”. Clients of the Pinning Service API use the portal with an API key:',
  pinning: 'pinning with Kubo',
}

export type Texts = typeof texts
