/** Bytes from which the user chooses the save location first, if the browser can stream to it instead of buffering in memory. */
const STREAM_FROM = 256 << 20

interface Picker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>
}

/**
 * Asks where to save a large download. Call it within the click. `undefined`: the browser decides.
 * @throws AbortError if the user cancels
 */
export async function chooseSaveLocation(name: string, size: number): Promise<FileSystemFileHandle | undefined> {
  const { showSaveFilePicker } = window as Picker
  if (size < STREAM_FROM || !showSaveFilePicker) return undefined
  try {
    return await showSaveFilePicker.call(window, { suggestedName: name })
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    return undefined
  }
}
