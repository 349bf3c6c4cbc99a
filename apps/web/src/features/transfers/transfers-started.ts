import { create } from 'zustand'

/** Whether a transfer was started since the page was opened. Until then the code that shows transfers is not loaded. */
export const useTransfersStarted = create<{ started: boolean }>()(() => ({ started: false }))

export const markTransfersStarted = (): void => useTransfersStarted.setState({ started: true })
