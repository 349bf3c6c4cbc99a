import { useEffect, useState } from 'react'
import { useTheme } from '../../lib/theme.ts'
import { t } from './texts.ts'

/** The colour that each one's contrast is measured against; `surface` by default. */
const contrastWith: Record<string, string> = { 'accent-soft': 'text', canvas: 'text', surface: 'text', sunken: 'text' }

/** All colours with their purpose and current contrast. */
export function Colours() {
  const theme = useTheme()
  const [ratios, setRatios] = useState<Record<string, string>>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the theme
  useEffect(() => {
    const names = Object.keys(t.duties)
    setRatios(Object.fromEntries(names.map((name) => [name, contrast(name, contrastWith[name] ?? 'surface')])))
  }, [theme])
  return (
    <ul className="grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
      {Object.entries(t.duties).map(([name, purpose]) => (
        <li key={name} className="flex items-center gap-4 border-t border-line py-3">
          <span className={`size-10 shrink-0 rounded-lg border border-line ${swatches[name] ?? ''}`} />
          <span className="min-w-0 flex-1">
            <span className="flex justify-between gap-2 font-mono text-sm">
              {name} <span className="text-muted tabular-nums">{ratios[name]}</span>
            </span>
            <span className="block text-sm text-muted">{purpose}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

// Written out, because Tailwind finds class names by scanning the source.
const swatches: Record<string, string> = {
  canvas: 'bg-canvas',
  surface: 'bg-surface',
  sunken: 'bg-sunken',
  line: 'bg-line',
  control: 'bg-control',
  text: 'bg-text',
  muted: 'bg-muted',
  accent: 'bg-accent',
  'accent-soft': 'bg-accent-soft',
  signal: 'bg-signal',
  good: 'bg-good',
  warn: 'bg-warn',
  danger: 'bg-danger',
  'series-1': 'bg-series-1',
  'series-2': 'bg-series-2',
  'series-3': 'bg-series-3',
  'series-4': 'bg-series-4',
}

/** WCAG 2 contrast of two tokens, `5.2:1`. */
function contrast(one: string, other: string): string {
  const style = getComputedStyle(document.documentElement)
  const [a, b] = [one, other].map((name) => luminance(style.getPropertyValue(`--${name}`).trim()))
  if (a === undefined || b === undefined) return ''
  return `${((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)).toFixed(1)}:1`
}

function luminance(hex: string): number | undefined {
  const [, ...parts] = /^#(..)(..)(..)$/.exec(hex) ?? []
  if (parts.length !== 3) return
  const [r = 0, g = 0, b = 0] = parts.map((part) => {
    const value = Number.parseInt(part, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
