export const texts = {
  publish: {
    title: (name: string) => `Publish “${name}” on IPFS`,
    what: 'Publishing makes it public:',
    points: [
      'Everybody can read it, by its CID, for as long as it is published. There is no password.',
      'What others read counts as download traffic of your account.',
      'When you unpublish it, our gateways stop within seconds. Caches and people elsewhere may keep copies for ever.',
      'It ends when you delete or replace the file.',
    ],
    folderPoints: [
      'Everybody can read its files, by its CID, for as long as it is published. There is no password.',
      'What others read counts as download traffic of your account.',
      'It is published as it is now. To include what you add or change later, publish it again: it then has another CID.',
      'Files that you delete or replace are no longer served.',
      'When you unpublish it, our gateways stop within seconds. Caches and people elsewhere may keep copies for ever.',
    ],
    again: 'Publish again',
    ended: (ended: number, files: number) =>
      `${ended} of ${files} files were deleted or replaced and are no longer served. Publish the folder again to leave them out.`,
    go: 'Publish',
    address: 'Address',
    copyAddress: 'Copy the address',
    ipfs: 'IPFS address',
    copyIpfs: 'Copy the IPFS address',
    open: 'Open',
    stop: 'Unpublish',
    stopped: 'No longer published',
    since: (date: string) => `Published ${date}`,
    preparing: 'Preparing: the gateways serve it in a moment.',
    tooManyBlocks: 'It is too large to publish with what your account has published already.',
    unreadable: 'It is built in a way that the gateways cannot serve.',
    failed: 'The state could not be loaded.',
    all: 'All published files',
  },
  list: {
    title: 'Published on IPFS',
    intro: 'Everybody can read these files and folders, by their CID.',
    states: { preparing: 'Preparing', ready: 'Published', failed: 'Failed' },
    stop: (name: string) => `Unpublish ${name}`,
    copy: (name: string) => `Copy the address of ${name}`,
  },
}

export type Texts = typeof texts
