/** From this size on the person chooses the place first, where the browser can write there: the bytes then pass through no memory. */
const LARGE = 256 << 20

interface Picker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>
}

/**
 * Asks where to put something large. Call it within the click. `undefined` leaves it to the browser.
 * @throws AbortError when the person thought better of it
 */
export async function choosePlace(name: string, size: number): Promise<FileSystemFileHandle | undefined> {
  const { showSaveFilePicker } = window as Picker
  if (size < LARGE || !showSaveFilePicker) return undefined
  try {
    return await showSaveFilePicker.call(window, { suggestedName: name })
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    return undefined
  }
}
