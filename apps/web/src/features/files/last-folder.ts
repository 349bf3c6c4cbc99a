import { onUserChange } from '../../lib/session-store.ts'

export interface LastFolder {
  id: number
  name: string
}

let last: LastFolder | undefined
onUserChange(() => {
  last = undefined
})

/** The folder that was in sight last; none as long as the files were not looked at. */
export const lastFolder = (): LastFolder | undefined => last

export function rememberFolder(folder: LastFolder): void {
  last = folder
}
