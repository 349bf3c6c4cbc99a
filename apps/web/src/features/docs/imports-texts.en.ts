export const texts = {
  title: 'Imports',
  intro:
    'Bring files from a web address, from IPFS or from another S3. The network fetches them, so nothing passes through your computer.',
  begin: 'Begin an import',
  beginText:
    'On the page “Files”, choose “Upload”, then “Import from elsewhere”. Or use the command line, after tidenet login:',
  ways: { url: 'Address', cid: 'IPFS', s3: 'Other S3' },
  wayTexts: {
    url: 'A file at a public http or https address. It gets the name that you give it, that of the source, or the end of the address.',
    cid: 'A file or folder with this CID. It keeps its CID, and every block is verified.',
    s3: 'The objects of a bucket become files of a folder, with their types and metadata. Use an access key that can only list the bucket and read its objects. It is encrypted, and forgotten when the import ends.',
  },
  facts: [
    [
      'Progress',
      'The portal and “tidenet imports” show it, and what to do after a failure. Imports can be cancelled and retried.',
    ],
    ['API key', 'Needs the permission “Upload file”, and no cap of traffic.'],
    ['Repeating', 'Objects of another S3 that are there with the same size and ETag are skipped.'],
    ['Archived objects', 'Objects in an archive, such as Glacier, are left out and counted. Restore them there first.'],
    ['Not possible', 'Imports into encrypted folders, and from addresses that are not public.'],
    ['Limits', '20 GiB for a file by address or CID. 100 imports that wait or run, 1,000 a day, two at the same time.'],
    ['Offer', 'The operator chooses which kinds of imports there are. The portal says if one is missing.'],
  ],
  more: 'Pinning with IPFS clients',
}

export type Texts = typeof texts
