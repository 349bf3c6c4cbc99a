import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { formatDateTime, formatHour } from '../../lib/format.ts'
import { Card } from '../../ui/states.tsx'
import './chart.css'
import { t } from './texts.ts'

interface ChartProps {
  title: string
  /** The span in words, and in hours. */
  span: string
  hours: number
  /** Moments, in seconds. */
  at: readonly number[]
  series: readonly { name: string; values: readonly number[] }[]
  /** What it may use at most: a line of its own. */
  limit?: number
  /** Whether values are bytes. */
  bytes?: boolean
  format: (value: number) => string
}

/** Above so many times the highest the limit would press everything against the ground: it is then only said in words. */
const FAR = 5
/** Marks of an axis of bytes are round in KiB, MiB and so on. */
const POWERS = Array.from({ length: 50 }, (_, power) => 2 ** power)
const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
const INKS = ['--series-1', '--series-2'] as const

/** Lines over time on a canvas, and the same figures as a table for who cannot see it. */
export function Chart({ title, span, hours, at, series, limit, bytes = false, format }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const newest = series.map(({ values }) => format(values.at(-1) ?? 0)).join(' / ')
  const highest = format(Math.max(0, ...series.flatMap(({ values }) => values)))
  useEffect(() => {
    const host = box.current
    if (!host) return
    let chart: uPlot | undefined
    const draw = () => {
      chart?.destroy()
      const highest = Math.max(0, ...series.flatMap(({ values }) => values))
      const near = limit !== undefined && (highest === 0 || limit <= highest * FAR)
      const top = near ? Math.max(limit, highest) * 1.1 : highest * 1.3
      const axis = { stroke: colour('--muted'), font: '12px "Geist Mono Variable", "Geist Mono", monospace' }
      const grid = { stroke: colour('--line'), width: 1 }
      const end = Math.max(Date.now() / 1000, at.at(-1) ?? 0)
      const start = end - hours * 3600
      const data = [
        [start, ...at, end],
        // The limit goes through; what was measured does not.
        ...series.map(({ values }) => [null, ...values, null]),
        ...(near ? [[start, ...at, end].map(() => limit)] : []),
      ]
      chart = new uPlot(
        {
          width: host.clientWidth,
          height: host.clientHeight,
          cursor: { show: false },
          legend: { show: false },
          scales: {
            x: { time: true, range: [start, end] },
            y: { range: [0, top > 0 ? top : 1] },
          },
          axes: [
            {
              ...axis,
              grid: { show: false },
              ticks: grid,
              space: 70,
              size: 30,
              values: (_, moments) =>
                moments.map((moment) =>
                  hours > 24 ? formatDateTime(moment * 1000).split(/[,，]/)[0] : formatHour(moment * 1000),
                ) as string[],
            },
            {
              ...axis,
              grid,
              ...(bytes && { incrs: POWERS }),
              ticks: { show: false },
              size: 84,
              space: 26,
              values: (_, marks) => marks.map((mark) => (mark === 0 ? '0' : format(mark))),
            },
          ],
          series: [
            {},
            ...series.map((_, index) => ({
              stroke: colour(INKS[index] ?? INKS[0]),
              width: 1.5,
              points: { show: at.length < 3, size: 5 },
            })),
            ...(near ? [{ stroke: colour('--muted'), width: 1, dash: [4, 4], points: { show: false } }] : []),
          ],
        },
        data as unknown as uPlot.AlignedData,
        host,
      )
    }
    draw()
    const sized = new ResizeObserver(
      () => chart && host.clientWidth > 0 && chart.setSize({ width: host.clientWidth, height: host.clientHeight }),
    )
    sized.observe(host)
    const themed = new MutationObserver(draw)
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      sized.disconnect()
      themed.disconnect()
      chart?.destroy()
    }
  }, [at, series, limit, hours, bytes, format])
  return (
    <Card className="min-w-0 p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="font-medium">{title}</h2>
        <p className="font-mono text-sm text-muted tabular-nums">
          {newest} {limit !== undefined && t.usage.limit(format(limit))}
        </p>
      </div>
      {series.length > 1 && (
        <p aria-hidden className="mt-1 flex gap-4 text-xs text-muted">
          {series.map(({ name }, index) => (
            <span key={name} className="inline-flex items-center gap-1.5">
              <span className={`h-0.5 w-4 ${index === 0 ? 'bg-series-1' : 'bg-series-2'}`} />
              {name}
            </span>
          ))}
        </p>
      )}
      <div
        ref={box}
        role="img"
        aria-label={t.usage.chart(title, span, highest, newest)}
        className="mt-3 h-52 min-w-0"
      />
      <details className="mt-2 text-sm">
        <summary className="inline-flex min-h-7 cursor-pointer items-center text-muted underline decoration-line underline-offset-4 hover:text-text">
          {t.usage.table}
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls has to be reachable by keyboard */}
        <section className="mt-2 max-h-56 overflow-y-auto" tabIndex={0} aria-label={`${title}, ${t.usage.table}`}>
          <table className="w-full">
            <thead className="text-left text-muted">
              <tr>
                <th scope="col" className="font-medium">
                  {t.usage.when}
                </th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" className="text-right font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {at.map((moment, index) => (
                <tr key={moment} className="border-t border-line">
                  <td className="py-1">{formatDateTime(moment * 1000)}</td>
                  {series.map(({ name, values }) => (
                    <td key={name} className="py-1 text-right font-mono text-xs tabular-nums">
                      {format(values[index] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </Card>
  )
}
