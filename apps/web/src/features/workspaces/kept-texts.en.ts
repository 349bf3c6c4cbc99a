/** Texts of workspaces that are kept after the end of their order. */
export const texts = {
  title: 'The order has ended. Your programs are stopped and kept.',
  text: 'Buy the order again before the time is over: your programs start again with their files. After that, everything here is deleted and cannot be restored.',
  since: 'Stopped',
  until: 'To be deleted',
  left: 'Time left',
  restore: 'Buy again and restore',
  what: 'What is kept',
  disk: (size: string) => `${size} used on its disk`,
  unmeasured: 'Disk usage not measured yet',
  settings: 'Disks, installed software and other changed files, settings, environment variables and addresses.',
  not: 'Not kept: data that was only in memory.',
  files:
    'While programs are stopped, files cannot be downloaded. Buy the order again first; the shortest duration is enough.',
  one: 'To delete a program now, choose “Remove” in its menu.',
  line: (date: string) => `Stopped. Kept until ${date}, then deleted.`,
  atEnd:
    'When the order expires, programs are stopped and kept for 72 hours. Buying the order again in this time restores them with their files. If you terminate the order, they are deleted at once.',
}
