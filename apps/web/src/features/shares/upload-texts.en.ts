export const texts = {
  title: (folder: string) => `Upload files to “${folder}”`,
  text: 'You can upload files into this folder. You cannot see what is in it.',
  left: (files: string, size: string) =>
    `You can upload ${files} more ${files === '1' ? 'file' : 'files'}, ${size} in total.`,
  full: 'The link has received as much as it accepts.',
  choose: 'Choose files',
  drop: 'or drop them here',
  files: 'Your files',
  retry: (name: string) => `Try ${name} again`,
  remove: (name: string) => `Remove ${name}`,
  sent: (name: string) => `${name} was uploaded`,
  progress: (name: string) => `Progress of ${name}`,
  waiting: 'Waiting',
  offline: 'Interrupted. It continues by itself as soon as possible.',
  unfinished: (count: number) =>
    count === 1 ? 'One file was not uploaded completely' : `${count} files were not uploaded completely`,
  unfinishedText: 'Choose the same files again to continue.',
  unfinishedForget: 'Dismiss',
  done: (count: number) =>
    count === 1
      ? 'One file was uploaded. You can close this page.'
      : `${count} files were uploaded. You can close this page.`,
  privacy: 'Files are not encrypted: the owner of the folder and the nodes that store them can read them.',
}

export type Texts = typeof texts
