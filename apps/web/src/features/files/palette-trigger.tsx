import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { addTrigger, closePalette, isPaletteOpen, onPalette, openPalette } from '../../lib/typed-ahead.ts'
import type { PalettePage } from './palette-choices.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

const isMac = (): boolean => typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)

/**
 * Opens the command palette, by a button and by Ctrl-K anywhere in the console. The palette is loaded on demand; text typed
 * meanwhile is kept.
 * @param pages called when the palette opens
 */
export function PaletteTrigger({ label, pages }: { label: string; pages: () => readonly PalettePage[] }) {
  const open = useSyncExternalStore(onPalette, isPaletteOpen, () => false)
  useEffect(addTrigger, [])
  return (
    <>
      <button
        type="button"
        className="mb-4 flex min-h-9 w-full items-center gap-2 rounded-lg border border-control/60 bg-surface px-3 text-sm text-muted hover:bg-sunken hover:text-text"
        aria-keyshortcuts="Control+K"
        aria-haspopup="dialog"
        onClick={openPalette}
      >
        <Search aria-hidden className="size-4" />
        <span className="min-w-0 flex-1 truncate text-left">{label}</span>
        <kbd className="rounded-md border border-line bg-sunken px-1.5 font-mono text-xs">
          {isMac() ? '⌘K' : 'Ctrl K'}
        </kbd>
      </button>
      {open && (
        <Suspense>
          <Palette pages={pages()} onClose={closePalette} />
        </Suspense>
      )}
    </>
  )
}
