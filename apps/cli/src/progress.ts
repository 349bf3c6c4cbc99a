import { SingleBar } from 'cli-progress'
import { bytes, clock } from './amounts.ts'
import { onLine } from './output.ts'
import { texts } from './texts.ts'
import { cut, pad, plain, width } from './width.ts'

export type State = keyof typeof texts.states

/** How far a transfer is. Sizes in bytes, speed in bytes a second; `total` 0 when nobody knows. */
export interface Moment {
  state: State
  loaded: number
  total: number
  speed: number
}

const BAR_MIN = 10
const BAR_MAX = 30
const NAME_MAX = 32
/** Places left for the `^C` that a terminal shows where the line ends. */
const ECHO = 3

/** One line of `columns` places at most: name, bar, share, amount, speed, time left, state; a narrow terminal gets less of it. */
export function progressLine(name: string, { state, loaded, total, speed }: Moment, columns: number): string {
  // What is being packed grows while it is looked at.
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
  // The amount, then the speed, go first when there is no room.
  while (facts.length > 2 && rest() + width(title) + BAR_MIN + 4 > columns) facts.splice(1, 1)
  const room = Math.min(BAR_MAX, columns - width(title) - rest() - 4)
  const bar =
    known && room >= BAR_MIN ? `[${pad('█'.repeat(Math.round(ratio * room)), room).replaceAll(' ', '░')}]` : ''
  return cut([title, bar, ...facts].filter((part) => part !== '').join('  '), columns)
}

/** A line on the terminal that follows a transfer, gone when it ends; nothing where there is no terminal. */
export function followProgress(name: string): { show(moment: Moment): void; end(): void } {
  const { stderr } = process
  if (!stderr.isTTY) return { show() {}, end() {} }
  const bar = new SingleBar({
    format: (_options, _params, { moment }: { moment: Moment }) =>
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
  const show = (moment: Moment) => {
    if (shown) bar.update(moment.loaded, { moment })
    else bar.start(Number.MAX_SAFE_INTEGER, moment.loaded, { moment })
    shown = true
  }
  onLine(hide)
  process.once('exit', hide)
  show({ state: 'probing', loaded: 0, total: 0, speed: 0 })
  return {
    show,
    end() {
      hide()
      onLine(() => {})
      process.off('exit', hide)
    },
  }
}
