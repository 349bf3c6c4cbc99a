export const texts = {
  title: (folder: string) => `Upload files to “${folder}”`,
  text: 'You can send files to the owner of this folder. You cannot see what is in it.',
  left: (files: string, size: string) => `The link still receives ${files} files, ${size} in total.`,
  choose: 'Choose files',
  drop: 'or drop them here',
  files: 'Your files',
  retry: (name: string) => `Try ${name} again`,
  remove: (name: string) => `Remove ${name}`,
  sent: (name: string) => `${name} was sent`,
  progress: (name: string) => `Progress of ${name}`,
  done: (count: number) =>
    count === 1 ? 'One file was sent. You can close this page.' : `${count} files were sent. You can close this page.`,
  privacy: 'Files are not encrypted: the owner of the folder and the nodes that store them can read them.',
}

export type Texts = typeof texts
