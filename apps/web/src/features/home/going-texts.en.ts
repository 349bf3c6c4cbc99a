/** Texts of an anonymous upload that was started. */
export const texts = {
  tooLarge: 'Without an account a file has at most 100 MiB. With an account it can be larger.',
  empty: 'The file is empty. A file must be larger than 0 bytes.',
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
