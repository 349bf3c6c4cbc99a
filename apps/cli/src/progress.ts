import { SingleBar } from 'cli-progress'
import { bytes, clock } from './amounts.ts'
import { onLine } from './output.ts'
import { texts } from './texts.ts'
import { cut, pad, plain, width } from './width.ts'

export type State = keyof typeof texts.states

/** State of a transfer. Sizes in bytes, speed in bytes per second; `total` 0 if unknown. */
export interface TransferProgress {
  state: State
  loaded: number
  total: number
  speed: number
}

const BAR_MIN = 10
const BAR_MAX = 30
const NAME_MAX = 32
/** Columns reserved for the `^C` that terminals echo at the end of the line. */
const ECHO = 3

/** One line of at most `columns`: name, bar, percent, bytes, speed, time left, state; fewer on narrow terminals. */
export function progressLine(name: string, { state, loaded, total, speed }: TransferProgress, columns: number): string {
  // The size of a folder grows while it is packed.
  const known = total > 0 && state !== 'packing'
  const ratio = known ? Math.min(loaded / total, 1) : 0
  const left = known && speed > 0 && state !== 'finishing' ? (total - loaded) / speed : undefined
  const share = known ? `${(Math.floor(ratio * 1000) / 10).toFixed(1)}%`.padStart(6) : ''
  const facts = [
    share,
    known ? `${bytes(loaded)} / ${bytes(total)}` : loaded > 0 ? bytes(loaded) : '',
    speed > 0 ? `${bytes(speed)}/s` : '',
    left !== undefined && left < 360_000 ? clock(left) : '',
    texts.states[state],
  ].filter((fact) => fact !== '')
  const rest = () => width(facts.join('  ')) + 2
  const title = cut(plain(name), Math.max(8, Math.min(NAME_MAX, columns - rest() - BAR_MIN - 4)))
  // If there is not enough space, drop the amount first, then the speed.
  while (facts.length > 2 && rest() + width(title) + BAR_MIN + 4 > columns) facts.splice(1, 1)
  const barColumns = Math.min(BAR_MAX, columns - width(title) - rest() - 4)
  const bar =
    known && barColumns >= BAR_MIN
      ? `[${pad('█'.repeat(Math.round(ratio * barColumns)), barColumns).replaceAll(' ', '░')}]`
      : ''
  return cut([title, bar, ...facts].filter((part) => part !== '').join('  '), columns)
}

export interface ProgressLine {
  show(moment: TransferProgress): void
  end(): void
  /** `show`, unless there is no terminal: then nothing needs to be counted. */
  listener?: (moment: TransferProgress) => void
}

/** A progress line on the terminal, cleared at the end; does nothing without a terminal. */
export function followProgress(name: string): ProgressLine {
  const { stderr } = process
  if (!stderr.isTTY) return { show() {}, end() {} }
  const bar = new SingleBar({
    format: (_options, _params, { moment }: { moment: TransferProgress }) =>
      progressLine(name, moment, (stderr.columns || 80) - ECHO),
    stream: stderr,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
    emptyOnZero: true,
  })
  let shown = false
  const hide = () => {
    if (shown) bar.stop()
    shown = false
  }
  const show = (moment: TransferProgress) => {
    if (shown) bar.update(moment.loaded, { moment })
    else bar.start(Number.MAX_SAFE_INTEGER, moment.loaded, { moment })
    shown = true
  }
  onLine(hide)
  process.once('exit', hide)
  show({ state: 'probing', loaded: 0, total: 0, speed: 0 })
  return {
    show,
    listener: show,
    end() {
      hide()
      onLine(() => {})
      process.off('exit', hide)
    },
  }
}
