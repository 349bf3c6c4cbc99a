/** What a drop brought, kept for after its event: folders can be read by their entries, a browser without them has the files. */
export function dropped({ items, files }: DataTransfer): [entries: FileSystemEntry[], files: File[]] {
  return [[...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null), [...files]]
}
