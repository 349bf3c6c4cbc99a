/** What the card says that takes a file without an account: the first page comes with it. */
export const texts = {
  title: 'Try it without an account',
  text: 'One file of up to 100 MiB, kept for 24 hours. Anyone with the link can download it.',
  drop: 'Drop a file here',
  dropNow: 'Let go to upload',
  or: 'or',
  choose: 'Choose a file',
  tooLarge: 'Without an account a file has at most 100 MiB. With an account it can be larger.',
  empty: 'The file is empty. A file must be larger than 0 bytes.',
  oneFile: 'One file at a time, please. Folders and many files at once need an account.',
  cancelled: 'Upload cancelled. Nothing was stored.',
  another: 'Choose another file',
  done: 'Your file is on the network',
  toResult: 'Show its link',
  progressOf: (name: string) => `Progress of ${name}`,
  otherNode: 'Interrupted, retrying on another node',
  state: {
    waiting: 'Waiting',
    hashing: 'Reading and hashing',
    packing: 'Packing',
    uploading: 'Uploading',
    retrying: 'Interrupted, trying again',
    finishing: 'Finishing',
  },
}

export type Texts = typeof texts
