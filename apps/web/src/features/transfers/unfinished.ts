/** Uploads of large files that a reload or a closed tab has cut off. A file cannot be kept by a page: the person chooses it again. */

export interface Unfinished {
  /** The account that began it. */
  account: string
  name: string
  size: number
  modified: number
  folder: number
  areas: string[]
  begun: number
}

const KEY = 'tidenet.unfinished'
/** Nodes forget what was not finished after a day. */
const LIFE = 24 * 3600 * 1000
/** Below this nothing is worth going on with: it is sent in one piece. */
const FROM = 8 << 20

const same = (a: Unfinished, b: Unfinished): boolean =>
  a.account === b.account &&
  a.name === b.name &&
  a.size === b.size &&
  a.modified === b.modified &&
  a.folder === b.folder

function read(): Unfinished[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    if (!Array.isArray(stored)) return []
    return (stored as Unfinished[]).filter(({ begun, size }) => begun > Date.now() - LIFE && Number.isFinite(size))
  } catch {
    return []
  }
}

function write(list: readonly Unfinished[]): void {
  try {
    if (list.length === 0) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify(list))
  } catch {
    // A browser that keeps nothing begins anew.
  }
}

/** What an account has begun and not ended. */
export const unfinishedOf = (account: string): Unfinished[] => read().filter((each) => each.account === account)

export function noteUnfinished(upload: Unfinished): void {
  if (upload.size <= FROM) return
  write([...read().filter((each) => !same(each, upload)), upload])
}

export const forgetUnfinished = (upload: Unfinished): void => write(read().filter((each) => !same(each, upload)))

export const forgetAllUnfinished = (account: string): void => write(read().filter((each) => each.account !== account))

/** Whether a chosen file is the one that was cut off. */
export const isSameFile = ({ name, size, modified }: Unfinished, file: File): boolean =>
  file.name === name && file.size === size && file.lastModified === modified
