import { useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import { formatDateTime } from '../../lib/format.ts'
import { Card } from '../../ui/states.tsx'
import './chart.css'
import { drawLines, type Lines } from './chart-lines.ts'
import { t } from './texts.ts'

interface ChartProps extends Lines {
  title: string
  /** The period as text. */
  span: string
}

/** A line chart, with the same values as an accessible table. */
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
      chart = drawLines(host, { hours, at, series, limit, bytes, format })
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
      <Figures title={title} at={at} series={series} format={format} />
    </Card>
  )
}

/** The values as a table, for screen readers. */
function Figures({ title, at, series, format }: Pick<ChartProps, 'title' | 'at' | 'series' | 'format'>) {
  return (
    <details className="mt-2 text-sm">
      <summary className="inline-flex min-h-7 cursor-pointer items-center text-muted underline decoration-line underline-offset-4 hover:text-text">
        {t.usage.table}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
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
  )
}
