/** Whether a drag contains files, as far as it is known before the drop. */
export const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/** Reads a drop within its event. Folders are read from the entries; browsers without entries provide files only. */
export function readDrop({ items, files }: DataTransfer): [entries: FileSystemEntry[], files: File[]] {
  return [[...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null), [...files]]
}
