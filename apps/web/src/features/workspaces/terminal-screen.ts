import { FitAddon } from '@xterm/addon-fit'
import { type ITheme, Terminal } from '@xterm/xterm'
import css from '@xterm/xterm/css/xterm.css?inline'
import { adoptStyles, createStyleProxy } from './terminal-styles.ts'
import { t } from './texts.ts'

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** The sixteen ANSI colours, from the portal's theme. The terminal increases insufficient contrast. */
function themeOf(): ITheme {
  const [text, muted, danger, good, warn, accent, violet] = [
    '--text',
    '--muted',
    '--danger',
    '--good',
    '--warn',
    '--accent',
    '--series-3',
  ].map(token) as [string, string, string, string, string, string, string]
  return {
    background: token('--surface'),
    foreground: text,
    cursor: token('--signal'),
    cursorAccent: token('--surface'),
    selectionBackground: token('--accent-soft'),
    selectionForeground: text,
    scrollbarSliderBackground: `${token('--control')}66`,
    scrollbarSliderHoverBackground: `${token('--control')}99`,
    scrollbarSliderActiveBackground: token('--control'),
    black: token('--sunken'),
    red: danger,
    green: good,
    yellow: warn,
    blue: accent,
    magenta: violet,
    cyan: accent,
    white: muted,
    brightBlack: muted,
    brightRed: token('--danger-strong'),
    brightGreen: good,
    brightYellow: warn,
    brightBlue: token('--accent-strong'),
    brightMagenta: violet,
    brightCyan: token('--accent-strong'),
    brightWhite: text,
  }
}

interface ScreenOptions {
  host: HTMLElement
  fontSize: number
  reader: boolean
  onTyped: (text: string) => void
  onBinary: (bytes: Uint8Array) => void
  onSize: (columns: number, rows: number) => void
  /** F6, which moves the focus out of the terminal, was pressed. */
  onLeave: () => void
}

/** Opens a terminal that fills an element, in the colours of the page. */
export function openScreen({ host, fontSize, reader, onTyped, onBinary, onSize, onLeave }: ScreenOptions) {
  const dropStyles = adoptStyles(css)
  const styles = createStyleProxy()
  Terminal.strings.promptLabel = t.terminal.input
  Terminal.strings.tooMuchOutput = t.terminal.tooMuch
  const terminal = new Terminal({
    documentOverride: styles.document,
    fontFamily: '"Geist Mono", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
    fontSize,
    lineHeight: 1.25,
    scrollback: 5000,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    minimumContrastRatio: 4.5,
    screenReaderMode: reader,
    theme: themeOf(),
    macOptionIsMeta: true,
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  styles.within(() => terminal.open(host))
  const refit = () => host.clientWidth > 0 && fit.fit()
  refit()
  // Fit again after the fonts are loaded, which changes the character size.
  void document.fonts.ready.then(refit)
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.key !== 'F6') return true
    event.preventDefault()
    if (event.type === 'keydown') onLeave()
    return false
  })
  terminal.onData(onTyped)
  terminal.onBinary((text) => onBinary(Uint8Array.from(text, (sign) => sign.charCodeAt(0))))
  terminal.onResize(({ cols, rows }) => onSize(cols, rows))
  const sized = new ResizeObserver(refit)
  sized.observe(host)
  const themed = new MutationObserver(() => {
    terminal.options.theme = themeOf()
  })
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return {
    terminal,
    size: () => ({ columns: terminal.cols, rows: terminal.rows }),
    set(options: { fontSize?: number; screenReaderMode?: boolean }) {
      Object.assign(terminal.options, options)
      refit()
    },
    /** Writes a message of the page between the output of programs. */
    writeNotice(text: string) {
      terminal.write(`\r\n\u001b[2m— ${text} —\u001b[0m\r\n`)
    },
    dispose() {
      sized.disconnect()
      themed.disconnect()
      terminal.dispose()
      styles.dispose()
      dropStyles()
    },
  }
}

export type Screen = ReturnType<typeof openScreen>
