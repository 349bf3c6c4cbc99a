import { Link } from '@tanstack/react-router'
import {
  FREE_API_KEYS,
  FREE_DOWNLOAD_TRAFFIC,
  FREE_STORAGE,
  SHARE_DOWNLOADS,
  TRASH_LIFE,
} from '@tidenet/contract/constants'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { t } from './texts.ts'

const DAY_MS = 24 * 3600 * 1000

/** The free plan, with the limits that the server enforces. */
export function AccountBenefits() {
  const g = t.give
  const rows = [
    [formatSize(FREE_STORAGE), g.storage, g.storageText],
    [formatSize(FREE_DOWNLOAD_TRAFFIC), g.outflow, g.outflowText],
    [formatNumber(SHARE_DOWNLOADS), g.shares, g.sharesText],
    [formatNumber(FREE_API_KEYS), g.keys, g.keysText],
    [formatNumber(TRASH_LIFE / DAY_MS), g.trash, g.trashText],
  ] as const
  return (
    <aside aria-labelledby="gives" className="lg:border-l lg:border-line lg:pl-14">
      <Copies />
      <h2 id="gives" className="text-xl font-semibold tracking-tight lg:mt-8">
        {t.gives}
      </h2>
      <p className="mt-1 text-muted">{t.free}</p>
      <dl className="mt-5 border-t border-line">
        {rows.map(([figure, name, text]) => (
          <div key={name} className="grid gap-x-6 border-b border-line py-3.5 sm:grid-cols-[11rem_1fr]">
            <dt>
              <span className="font-mono text-lg tabular-nums">{figure}</span>{' '}
              <span className="text-sm text-muted sm:block">{name}</span>
            </dt>
            <dd className="text-sm text-muted sm:self-center">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 flex flex-wrap gap-x-6 gap-y-1 text-sm">
        <Link to="/services" className="inline-flex min-h-7 items-center text-accent underline">
          {t.services}
        </Link>
        <Link to="/Upload" className="inline-flex min-h-7 items-center text-accent underline">
          {t.without}
        </Link>
      </p>
    </aside>
  )
}

/** Which node (row) stores which block (column) of a file. */
const stored = ['110101', '011010', '101101', '010110'] as const
const BLOCK = 26
const COLUMN = 44
const LEFT = 96

/** Illustration: a file of six blocks at the top, four nodes below, and a mark for each block that a node stores. */
function Copies() {
  return (
    <svg
      viewBox="0 0 380 196"
      role="img"
      aria-label={t.drawing}
      className="hidden w-full max-w-lg text-line lg:block"
      fill="none"
      stroke="currentColor"
    >
      {stored[0].split('').map((_, block) => {
        const x = LEFT + block * COLUMN
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is identified by its position
          <g key={block}>
            <line x1={x + BLOCK / 2} x2={x + BLOCK / 2} y1="44" y2="180" strokeDasharray="2 4" />
            <rect x={x} y="14" width={BLOCK} height={BLOCK} rx="4" className="fill-surface stroke-accent" />
          </g>
        )
      })}
      {stored.map((row, node) => {
        const y = 76 + node * 34
        return (
          <g key={row}>
            <line x1="44" x2="372" y1={y} y2={y} />
            <circle cx="32" cy={y} r="7" className="fill-canvas stroke-control" />
            <path d={`M4 ${y + 14}c5 0 5-3 10-3s5 3 10 3 5-3 10-3 5 3 10 3`} />
            {row.split('').map(
              (mark, block) =>
                mark === '1' && (
                  <rect
                    // biome-ignore lint/suspicious/noArrayIndexKey: a block is identified by its position
                    key={block}
                    x={LEFT + block * COLUMN + BLOCK / 2 - 6}
                    y={y - 6}
                    width="12"
                    height="12"
                    rx="2.5"
                    className="fill-accent stroke-canvas"
                    strokeWidth="2"
                  />
                ),
            )}
          </g>
        )
      })}
    </svg>
  )
}
