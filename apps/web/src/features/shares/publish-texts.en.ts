export const texts = {
  publish: {
    title: (name: string) => `Publish “${name}” on IPFS`,
    published: (name: string) => `“${name}” is published on IPFS`,
    what: 'Publishing makes it public:',
    points: [
      'Everybody can read it, by its CID, for as long as it is published. There is no password.',
      'What others read counts as download traffic of your account.',
      'When you unpublish it, our gateways stop serving it within seconds. Caches and people elsewhere may keep copies.',
      'It is no longer published when you delete or replace it.',
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
    preparing: 'Preparing. The gateways will serve it in a moment.',
    tooManyBlocks:
      'It is too large together with what your account has published. Unpublish something else, then publish it again.',
    unreadable:
      'The gateways cannot serve it, because of how it is divided into blocks. Upload the original file, and publish that.',
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
