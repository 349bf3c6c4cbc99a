import type { contract, Parsed, ReceiptClaims } from '@tidenet/contract'

export type File = Parsed<(typeof contract)['folderUploads']['create']>['files'][number]

/** A file with a genuine receipt or proof, or none. */
export interface Checked {
  file: File
  cid: string
  claims: ReceiptClaims | undefined
  proven: boolean
}
