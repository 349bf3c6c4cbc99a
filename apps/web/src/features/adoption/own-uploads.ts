import { UPLOADS_KEY as KEY } from '../feedback/support.ts'

/** Anonymous uploads of this browser, so that their page can say "yours". Remembered for the 24 hours that the files exist. */

export interface OwnUpload {
  cid: string
  name: string
  /** Of the upload: proves to the server who uploaded the file. Empty in records of older versions. */
  trace: string
  /** Unix ms. */
  until: number
}

function read(): OwnUpload[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored
      .filter((each) => typeof each?.cid === 'string' && typeof each?.until === 'number' && each.until > Date.now())
      .map(({ cid, until, name, trace }) => ({
        cid,
        until,
        name: typeof name === 'string' ? name : '',
        trace: typeof trace === 'string' ? trace : '',
      }))
  } catch {
    return []
  }
}

function write(list: readonly OwnUpload[]): void {
  try {
    if (list.length > 0) localStorage.setItem(KEY, JSON.stringify(list))
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage, the page treats the uploader like any visitor.
  }
}

export const rememberUpload = (upload: OwnUpload): void =>
  write([...read().filter(({ cid }) => cid !== upload.cid), upload].slice(-20))

export const forgetUploads = (cids: readonly string[]): void => write(read().filter(({ cid }) => !cids.includes(cid)))

export const wasUploadedHere = (cid: string): boolean => read().some((each) => each.cid === cid)

/** Those that an account can add. */
export const adoptableUploads = (): OwnUpload[] => read().filter(({ trace }) => trace !== '')
