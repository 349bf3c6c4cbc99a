import type { FolderProblem, FolderSkip, ShownFolder } from '@tidenet/contract'

const plural = (count: number, one: string, many: string) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

export const texts = {
  openTitle: (name: string) => `Open “${name}” in a program`,
  openIntro: 'Choose one of your programs, or create one. The files are copied into it before it starts.',
  openNew: 'Create a program with this folder',
  openHere: (name: string) => `Use in ${name}`,
  openHas: (folder: string) => `It already uses the folder ${folder}.`,
  openNone: 'You have no running workspace. Order one, or buy an expired order again.',
  openMissing: 'Choose a folder in your storage first.',
  toStorage: 'Go to the storage',
  title: 'Folder of your storage',
  intro:
    'The files of the folder are copied into the program before it starts. Files that it adds or changes are saved to the folder when it stops; what a file contained before is kept as a version.',
  kept: 'Files that the program deletes stay in your storage. Not saved: empty files, links, and names that your storage does not allow.',
  restarts: 'The program is restarted.',
  optional: 'Use a folder of your storage in the program',
  notOffered: 'Programs on this cluster cannot use folders of your storage.',
  key: 'API key',
  keyHint: (account: string) =>
    `A key limited to this folder is created in ${account}, the account signed in to the portal in this browser. It is deleted when you detach the folder.`,
  keyOwn:
    'The console has no access to your storage. Sign in to the portal in this browser, as yourself and not for a team, to choose a folder, or enter a key: limited to one folder, with the permissions to read, create and delete files, and to read and create folders. It is deleted when you detach the folder.',
  keyMissing: 'Enter an API key.',
  keyName: (program: string) => `Program ${program}`,
  path: 'Path in the program',
  pathHint: 'For example /data/work. System folders cannot be used.',
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
    quota:
      'Your storage is full. The files stay on the disk of the program, and are saved once you have freed enough storage.',
    traffic:
      'Your download traffic of this month is used up. New files can be copied again when the limit is reset, or with a larger plan.',
    large:
      'The files are larger than the disk of the program. Give it a larger disk in its settings, or attach a smaller folder.',
    many: 'There are too many files, folders or links. At most 10,000 files can be copied: attach a folder with fewer.',
    away: 'The storage nodes or the portal do not respond. The copy is retried automatically.',
    changing:
      'A file changed while it was being saved. This is retried automatically; to save everything, stop the program.',
    failed: 'The files could not be copied. This is retried automatically.',
  } satisfies Record<FolderProblem, string> as Record<FolderProblem, string>,
  skipped: (count: number) => `${plural(count, 'file is', 'files are')} not copied or saved`,
  skip: {
    special: 'link or special file',
    name: 'the storage does not allow the name',
    empty: 'empty',
    encrypted: 'encrypted',
    sealed: 'a folder that was uploaded as one item',
    twice: 'another item has the same path',
    refused: 'the storage refused it',
  } satisfies Record<FolderSkip, string> as Record<FolderSkip, string>,
  save: 'Save results now',
  saving: 'Changed files will be saved in a moment.',
  detach: 'Detach…',
  detaching: 'The folder is detached as soon as its files are saved.',
  detachTitle: (name: string) => `Detach the folder ${name}?`,
  detachText:
    'Changed files are saved first, then the key is deleted. The files stay on the disk of the program, but later changes are not saved to your storage.',
  detachSave: 'Save and detach',
  detachOnly: 'Detach without saving',
  detached: 'The folder was detached.',
}

export type Texts = typeof texts
