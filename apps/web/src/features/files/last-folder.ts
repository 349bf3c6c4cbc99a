import { onUserChange } from '../../lib/session-store.ts'

export interface LastFolder {
  id: number
  name: string
}

let last: LastFolder | undefined
onUserChange(() => {
  last = undefined
})

/** The folder that was open last; undefined if none was opened yet. */
export const lastFolder = (): LastFolder | undefined => last

export function rememberFolder(folder: LastFolder): void {
  last = folder
}
