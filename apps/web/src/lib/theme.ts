import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'system' | 'light' | 'dark'

const KEY = 'tidenet.theme'
const listeners = new Set<() => void>()
const system = import.meta.env.SSR ? undefined : matchMedia('(prefers-color-scheme: dark)')

function read(): ThemeChoice {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

function apply(): void {
  const choice = read()
  document.documentElement.dataset.theme = choice === 'system' ? (system?.matches ? 'dark' : 'light') : choice
  for (const listener of listeners) listener()
}

system?.addEventListener('change', apply)
if (!import.meta.env.SSR) window.addEventListener('storage', (event) => event.key === KEY && apply())

export function chooseTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, choice)
  } catch {
    // A browser that keeps nothing follows its system.
  }
  apply()
}

export function useTheme(): ThemeChoice {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read,
    () => 'system',
  )
}
