/** An image in the account's storage. `file`: a CID, or `.` for the folder. */
export interface PickedImage {
  folder: { id: number; name: string }
  file: string
  name: string
}
