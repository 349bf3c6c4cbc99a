import { createPersistedStore } from '../../lib/persisted-store.ts'

/** Terminal settings of this browser. */
export const useTerminalSettings = createPersistedStore('tidenet.terminal', { fontSize: 14, reader: false })

export const FONT_MIN = 10
export const FONT_MAX = 24
