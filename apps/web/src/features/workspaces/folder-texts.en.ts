import type { FolderProblem, FolderSkip, ShownFolder } from '@tidenet/contract'

const plural = (count: number, one: string, many: string) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

export const texts = {
  openTitle: (name: string) => `Open “${name}” in a program`,
  openIntro: 'Choose a program of yours, or make one. It gets the files before it starts.',
  openNew: 'Make a program with it',
  openHere: (name: string) => `Use in ${name}`,
  openHas: (folder: string) => `It already has the folder ${folder}.`,
  openNone: 'You have no running workspace. Order one, or buy an expired order again.',
  openMissing: 'Choose a folder in your storage first.',
  toStorage: 'Go to the storage',
  title: 'Folder of your storage',
  intro:
    'The program gets the files of the folder before it starts. Files that it adds or changes are saved to the folder when it stops; what a file contained before is kept as a version.',
  kept: 'Files that the program deletes stay in your storage. Not saved: empty files, links, and names that your storage does not allow.',
  restarts: 'The program is restarted.',
  optional: 'Put a folder of your storage into the program',
  notOffered: 'This cluster cannot put folders of your storage into programs.',
  key: 'API key',
  keyHint: (account: string) =>
    `A key for this folder alone is created by ${account}, signed in to the portal in this browser. It is deleted when you detach the folder.`,
  keyOwn:
    'The console has no access to your storage. Sign in to the portal in this browser, as yourself and not for a team, to choose a folder, or enter a key: limited to one folder, with the permissions to read, create and delete files, and to read and create folders. It is deleted when you detach the folder.',
  keyMissing: 'Enter an API key.',
  keyName: (program: string) => `Program ${program}`,
  path: 'Path in the program',
  pathHint: 'Such as /data/work. It may not be a folder of the system.',
  pathMissing: 'Enter an absolute path, such as /data/work.',
  open: 'Attach a folder…',
  attach: 'Attach folder',
  attached: 'Folder attached. The program starts as soon as its files are there.',
  is: 'Folder',
  state: {
    waiting: 'Files are copied when the program starts',
    copying: 'Files are being copied into the program',
    ready: 'Files are in the program',
    saving: 'Changed files are being saved',
  } satisfies Record<ShownFolder['state'], string> as Record<ShownFolder['state'], string>,
  stateIs: 'State',
  copied: 'Last copied',
  saved: 'Last saved',
  savedFiles: (files: number, size: string) => `${plural(files, 'file', 'files')} saved so far, ${size}`,
  never: 'Never',
  problem: {
    key: 'The API key of the folder is no longer valid. Attach the folder again with another key.',
    folder: 'The folder is no longer in your storage. Restore it from the trash and save again, or detach it.',
    quota: 'Your storage is full. Nothing is lost: files are saved as soon as there is room.',
    traffic: 'Your download traffic of this month is used up, so new files cannot be copied.',
    large: 'The files are larger than the disk of the program.',
    many: 'There are more files, folders or links than can be copied: at most 10,000 files.',
    away: 'Storage nodes or the portal do not answer. It is tried again by itself.',
    changing: 'A file changed while it was read. It is tried again; stop the program to save everything.',
    failed: 'Files could not be copied. It is tried again by itself.',
  } satisfies Record<FolderProblem, string> as Record<FolderProblem, string>,
  skipped: (count: number) => `${plural(count, 'file is', 'files are')} left out`,
  skip: {
    special: 'link or special file',
    name: 'the storage does not allow the name',
    empty: 'empty',
    encrypted: 'encrypted',
    sealed: 'uploaded as one sealed folder',
    twice: 'another item has this place',
    refused: 'the storage refused it',
  } satisfies Record<FolderSkip, string> as Record<FolderSkip, string>,
  save: 'Save results now',
  saving: 'Changed files are saved in a moment.',
  detach: 'Detach…',
  detaching: 'The folder is detached as soon as its files are saved.',
  detachTitle: (name: string) => `Detach the folder ${name}?`,
  detachText:
    'Changed files are saved first, then the key is deleted. The files stay on the disk of the program, and are not saved any more.',
  detachSave: 'Save and detach',
  detachOnly: 'Detach without saving',
  detached: 'The folder was detached.',
}

export type Texts = typeof texts
