import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'system' | 'light' | 'dark'

const KEY = 'tidenet.theme'

function read(): ThemeChoice {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Keeps a choice; public/theme.js, which stands in every page, shows it here and in other tabs. */
export function chooseTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, choice)
  } catch {
    // A browser that keeps nothing follows its system.
  }
  // Only other tabs are told by the browser.
  window.dispatchEvent(new StorageEvent('storage', { key: KEY }))
}

const subscribe = (listener: () => void) => {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}

export const useTheme = (): ThemeChoice => useSyncExternalStore(subscribe, read, () => 'system')
