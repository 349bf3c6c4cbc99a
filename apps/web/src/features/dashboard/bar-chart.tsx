import { classes } from '../../ui/classes.ts'
import { axisMax } from './scale.ts'
import { t } from './texts.ts'

const WIDTH = 480
const HEIGHT = 120
const GAP = 0.25

interface BarChartProps {
  title: string
  /** Accessible name, with the time range. */
  label: string
  labels: readonly string[]
  values: readonly number[]
  format: (value: number) => string
  /** Base of round axis values: 1024 for bytes, 1000 for counts. */
  unit: 1000 | 1024
  /** The figure above the chart: sum, latest or highest value. */
  headline: 'sum' | 'last' | 'most'
  look: string
  /** The look of each bar, if they differ. */
  lookOf?: (index: number) => string
}

/** A bar chart over time with a scale, and the same values as a table for screen readers. */
export function BarChart({ title, label, labels, values, format, unit, headline, look, lookOf }: BarChartProps) {
  const highest = Math.max(...values, 0)
  const top = axisMax(highest, unit)
  const step = WIDTH / Math.max(values.length, 1)
  const total = values.reduce((sum, value) => sum + value, 0)
  const summary =
    headline === 'sum'
      ? t.total(format(total))
      : headline === 'last'
        ? t.latest(format(values.at(-1) ?? 0))
        : t.highest(format(highest))
  return (
    <figure>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{title}</span>
        <span className="text-sm text-muted tabular-nums">{summary}</span>
      </figcaption>
      <div className="mt-4 grid grid-cols-[4.25rem_1fr] gap-x-2">
        {/* Scale labels, aligned with their lines. */}
        <p aria-hidden className="relative h-36 font-mono text-xs text-muted tabular-nums">
          {top > 0 && (
            <>
              <ScaleMark className="top-0">{format(top)}</ScaleMark>
              <ScaleMark className="top-1/2">{format(top / 2)}</ScaleMark>
            </>
          )}
          <ScaleMark className="top-full">0</ScaleMark>
        </p>
        <div className="relative">
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={label}
            className="h-36 w-full"
          >
            {[0.5, HEIGHT / 2, HEIGHT - 0.5].map((y) => (
              <line
                key={y}
                x1="0"
                x2={WIDTH}
                y1={y}
                y2={y}
                className="stroke-line"
                strokeDasharray={y < HEIGHT - 1 ? '2 4' : undefined}
                vectorEffect="non-scaling-stroke"
              />
            ))}
            {values.map((value, index) => {
              const height = top > 0 ? Math.max(value > 0 ? 2 : 0, (value / top) * HEIGHT) : 0
              return (
                <g key={labels[index]} className="group">
                  {/* The tooltip covers the whole column, not only the bar. */}
                  <rect
                    x={index * step}
                    y={0}
                    width={step}
                    height={HEIGHT}
                    className="fill-transparent group-hover:fill-sunken"
                  >
                    <title>{`${labels[index]}: ${format(value)}`}</title>
                  </rect>
                  <rect
                    x={index * step + (step * GAP) / 2}
                    y={HEIGHT - height}
                    width={step * (1 - GAP)}
                    height={height}
                    className={classes('pointer-events-none', lookOf?.(index) ?? look)}
                  />
                </g>
              )
            })}
          </svg>

          {top === 0 && (
            <p className="absolute inset-0 flex items-center justify-center text-sm text-muted">{t.none}</p>
          )}
        </div>
        <p className="col-start-2 mt-1 flex justify-between font-mono text-xs text-muted tabular-nums">
          <span>{labels[0]}</span>
          <span>{labels.at(-1)}</span>
        </p>
      </div>
      <details className="mt-2 text-sm">
        <summary className="inline-flex min-h-7 cursor-pointer items-center text-muted underline decoration-line underline-offset-4 hover:text-text">
          {t.table}
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
        <section className="mt-2 max-h-56 overflow-y-auto" tabIndex={0} aria-label={label}>
          <table className="w-full">
            <thead className="text-left text-muted">
              <tr>
                <th scope="col" className="font-medium">
                  {t.when}
                </th>
                <th scope="col" className="text-right font-medium">
                  {title}
                </th>
              </tr>
            </thead>
            <tbody>
              {values.map((value, index) => (
                <tr key={labels[index]} className="border-t border-line">
                  <td className="py-1">{labels[index]}</td>
                  <td className="py-1 text-right tabular-nums">{format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}

/** The label of a grid line. */
const ScaleMark = ({ className, children }: { className: string; children: string }) => (
  <span className={classes('absolute right-0 -translate-y-1/2 whitespace-nowrap', className)}>{children}</span>
)
