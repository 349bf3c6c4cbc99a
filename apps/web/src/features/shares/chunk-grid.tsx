import { CHUNK_SIZE } from '@tidenet/contract/constants'
import { formatSize } from '../../lib/format.ts'
import { classes } from '../../ui/classes.ts'
import { type Cell, type ChunkLog, cellsOf } from '../transfers/chunk-log.ts'
import { edgeOf, fillOf, inkOf, letterOf } from './senders.ts'
import { t } from './texts.ts'

const MOST = 96

/** The file as a row of fields: who is asked for which part, and who sent what was checked. */
export function ChunkGrid({ log, size, over }: { log: ChunkLog; size: number; over: boolean }) {
  const cells = cellsOf(log, size, CHUNK_SIZE, MOST)
  const done = cells.filter(({ state }) => state === 'verified')
  const senders = log.senders
    .map((_, index) => [letterOf(index), done.filter(({ sender }) => sender === index).length] as const)
    .filter(([, parts]) => parts > 0)
    .map(([letter, parts]) => t.theatre.gridSender(letter, parts))
    .join(', ')
  const whole = Math.min(size, Math.ceil(Math.ceil(size / CHUNK_SIZE) / MOST) * CHUNK_SIZE)
  return (
    <div>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-semibold">{t.theatre.grid}</h3>
        <p className="text-xs text-muted">{t.theatre.cellSize(formatSize(whole))}</p>
      </div>
      <div
        role="img"
        aria-label={t.theatre.gridLabel(done.length, cells.length, senders)}
        className="grid grid-cols-12 gap-1 sm:grid-cols-24"
      >
        {cells.map((cell, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a field is its place
          <Field key={index} cell={cell} live={!over} />
        ))}
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted" aria-hidden>
        <Sample look="bg-series-1 border-series-1 text-surface" letter="A" word={t.theatre.legend.verified} />
        {!over && (
          <Sample look="border-dashed border-series-1 text-series-1" letter="A" word={t.theatre.legend.asked} />
        )}
        {log.refused > 0 && (
          <Sample look="bg-series-1 border-series-1 text-surface" letter="A" word={t.theatre.legend.again} again />
        )}
        {!over && <Sample look="border-line bg-sunken" letter="" word={t.theatre.legend.empty} />}
      </ul>
    </div>
  )
}

const fieldClass =
  'relative flex aspect-square items-center justify-center rounded-sm border font-mono text-[0.75rem] leading-none transition-colors duration-150'

function Field({ cell: { state, sender, again }, live }: { cell: Cell; live: boolean }) {
  const look =
    state === 'verified'
      ? `${fillOf(sender)} ${edgeOf(sender)} text-surface`
      : state === 'part'
        ? `bg-sunken ${edgeOf(sender)} ${inkOf(sender)}`
        : state === 'asked' && live
          ? `border-dashed ${edgeOf(sender)} ${inkOf(sender)}`
          : 'border-line bg-sunken'
  const named = sender >= 0 && (state !== 'asked' || live)
  return (
    <span className={classes(fieldClass, look)}>
      {named && letterOf(sender)}
      {again && state === 'verified' && <Corner />}
    </span>
  )
}

/** The mark of what came only when another node was asked. */
const Corner = () => (
  <span className="absolute -top-0.5 -right-0.5 size-2 rounded-full border border-surface bg-signal" />
)

function Sample({ look, letter, word, again }: { look: string; letter: string; word: string; again?: boolean }) {
  return (
    <li className="flex items-center gap-1.5">
      <span className={classes(fieldClass, 'size-4.5', look)}>
        {letter}
        {again && <Corner />}
      </span>
      {word}
    </li>
  )
}
