const s = (count: number, one: string) => `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`

export const texts = {
  title: 'Versions',
  intro: (versions: number, days: number) =>
    `If you replace the file, its earlier content is kept here: up to ${s(versions, 'version')}, each for ${s(days, 'day')}, as long as your storage has room.`,
  none: 'There are no earlier versions.',
  failed: 'The versions could not be loaded',
  version: (number: number) => `Version ${number}`,
  removed: (until: string) => `Deleted. It can be brought back until ${until}.`,
  until: (date: string) => `kept until ${date}`,
  kept: 'kept until deleted',
  preview: (number: number) => `Preview version ${number}`,
  download: (number: number) => `Download version ${number}`,
  restore: (number: number) => `Restore version ${number}`,
  remove: (number: number) => `Delete version ${number}`,
  undelete: (number: number) => `Bring version ${number} back`,
  restored: (number: number) => `Version ${number} is restored. What was current is kept as a version.`,
  wasRemoved: (number: number) => `Version ${number} is deleted.`,
  isBack: (number: number) => `Version ${number} is back.`,
  more: (count: number) => `Show ${count} more`,
}

export type Texts = typeof texts
