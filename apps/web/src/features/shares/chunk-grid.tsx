import { CHUNK_SIZE } from '@tidenet/contract/constants'
import { formatSize } from '../../lib/format.ts'
import { classes } from '../../ui/classes.ts'
import { type Cell, type ChunkLog, cellsOf } from '../transfers/chunk-log.ts'
import { nodeLetter, seriesBorder, seriesFill, seriesInk } from './node-labels.ts'
import { t } from './texts.ts'

const MOST = 96

/** The file as a grid of cells: which node is requested for which part, and which node sent the verified bytes. */
export function ChunkGrid({ log, size, over }: { log: ChunkLog; size: number; over: boolean }) {
  const cells = cellsOf(log, size, CHUNK_SIZE, MOST)
  const done = cells.filter(({ state }) => state === 'verified')
  const senders = log.senders
    .map((_, index) => [nodeLetter(index), done.filter(({ sender }) => sender === index).length] as const)
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
          // biome-ignore lint/suspicious/noArrayIndexKey: cells have no id
          <Field key={index} cell={cell} live={!over} />
        ))}
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted" aria-hidden>
        <Sample look="bg-series-1 border-series-1 text-surface" letter="A" word={t.theatre.legend.verified} />
        {!over && (
          <Sample look="border-dashed border-series-1 text-series-1" letter="A" word={t.theatre.legend.asked} />
        )}
        {log.refused > 0 && (
          <Sample look="bg-series-1 border-series-1 text-surface" letter="A" word={t.theatre.legend.again} retried />
        )}
        {!over && <Sample look="border-line bg-sunken" letter="" word={t.theatre.legend.empty} />}
      </ul>
    </div>
  )
}

const fieldClass =
  'relative flex aspect-square items-center justify-center rounded-sm border font-mono text-[0.75rem] leading-none transition-colors duration-150'

function Field({ cell: { state, sender, retried }, live }: { cell: Cell; live: boolean }) {
  const look =
    state === 'verified'
      ? `${seriesFill(sender)} ${seriesBorder(sender)} text-surface`
      : state === 'part'
        ? `bg-sunken ${seriesBorder(sender)} ${seriesInk(sender)}`
        : state === 'requested' && live
          ? `border-dashed ${seriesBorder(sender)} ${seriesInk(sender)}`
          : 'border-line bg-sunken'
  const named = sender >= 0 && (state !== 'requested' || live)
  return (
    <span className={classes(fieldClass, look)}>
      {named && nodeLetter(sender)}
      {retried && state === 'verified' && <Corner />}
    </span>
  )
}

/** Marks a part that arrived only after a retry with another node. */
const Corner = () => (
  <span className="absolute -top-0.5 -right-0.5 size-2 rounded-full border border-surface bg-signal" />
)

function Sample({ look, letter, word, retried }: { look: string; letter: string; word: string; retried?: boolean }) {
  return (
    <li className="flex items-center gap-1.5">
      <span className={classes(fieldClass, 'size-4.5', look)}>
        {letter}
        {retried && <Corner />}
      </span>
      {word}
    </li>
  )
}
