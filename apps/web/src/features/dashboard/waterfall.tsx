import type { TraceDetail } from '@tidenet/contract'
import { TRACE } from '@tidenet/contract/storage-enums'
import { Fragment } from 'react'
import { formatSize } from '../../lib/format.ts'
import { classes } from '../../ui/classes.ts'
import { NodeName, type NodeNames } from './node-name.tsx'
import { t } from './texts.ts'
import { formatTook } from './transfers-card.tsx'

const WIDTH = 1000
/** Minimum width of a bar, so that an attempt of a millisecond is visible. */
const MIN_WIDTH = 4

/** The attempts of a transfer as a waterfall chart: each row has a bar and its values in text. */
export function Waterfall({ details, names }: { details: readonly TraceDetail[]; names: NodeNames }) {
  const timed = details.filter(({ start_at, end_at }) => start_at > 0 && end_at >= start_at)
  const begin = Math.min(...timed.map(({ start_at }) => start_at))
  const end = Math.max(...timed.map(({ end_at }) => end_at), begin + 1)
  const scale = WIDTH / (end - begin)
  const rows = [...details].sort((a, b) => a.start_at - b.start_at)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <section className="mt-3 max-h-144 overflow-auto" tabIndex={0} aria-label={t.waterfall}>
      <table className="w-full text-sm sm:min-w-144">
        <thead className="sticky top-0 bg-surface text-left text-muted">
          <tr>
            {[t.node, t.size, t.time, t.status].map((title) => (
              <th key={title} scope="col" className="py-1.5 pr-3 font-medium whitespace-nowrap sm:pr-4">
                {title}
              </th>
            ))}
            <th scope="col" className="w-1/2 py-1.5 font-medium max-sm:hidden">
              {t.timeline}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((detail, index) => {
            const { node_id, size, start_at, end_at, status_code, state, error, relayed } = detail
            const known = start_at > 0 && end_at >= start_at
            const failed = state === TRACE.failed
            const bar = known && (
              <Bar
                x={Math.min((start_at - begin) * scale, WIDTH - MIN_WIDTH)}
                width={Math.max(MIN_WIDTH, (end_at - start_at) * scale)}
                failed={failed}
              />
            )
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of the attempts does not change
              <Fragment key={index}>
                <tr className="border-t border-line align-top">
                  <td className="py-1.5 pr-3 sm:pr-4">
                    <NodeName id={node_id} names={names} />
                    {relayed !== undefined && (
                      <span className="block text-xs text-muted">{relayed ? t.relayed : t.direct}</span>
                    )}
                  </td>
                  <td className="py-1.5 pr-3 font-mono whitespace-nowrap tabular-nums sm:pr-4">{formatSize(size)}</td>
                  <td className="py-1.5 pr-3 font-mono whitespace-nowrap tabular-nums sm:pr-4">
                    {known ? formatTook(end_at - start_at) : '–'}
                  </td>
                  <td className={classes('py-1.5 font-mono tabular-nums sm:pr-4', failed && 'text-danger')}>
                    {status_code || '–'}
                  </td>
                  <td className="py-1.5 max-sm:hidden">{bar}</td>
                </tr>
                {known && (
                  <tr className="sm:hidden">
                    <td colSpan={4} className="pb-1.5">
                      {bar}
                    </td>
                  </tr>
                )}
                {error && (
                  <tr>
                    <td colSpan={5} className={classes('pb-1.5 wrap-anywhere', failed && 'text-danger')}>
                      {error}
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** When an attempt ran, within the whole transfer. */
function Bar({ x, width, failed }: { x: number; width: number; failed: boolean }) {
  return (
    <svg viewBox={`0 0 ${WIDTH} 16`} preserveAspectRatio="none" aria-hidden="true" className="h-4 w-full">
      <rect x="0" y="7" width={WIDTH} height="1" className="fill-line" />
      <rect x={x} y="2" width={width} height="12" className={failed ? 'fill-danger' : 'fill-accent'} />
    </svg>
  )
}
