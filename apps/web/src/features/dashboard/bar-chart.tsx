import { classes } from '../../ui/classes.ts'
import { t } from './texts.ts'

const WIDTH = 480
const HEIGHT = 120
const GAP = 0.25

interface BarChartProps {
  title: string
  /** Says what is shown, over which time. */
  label: string
  labels: readonly string[]
  values: readonly number[]
  format: (value: number) => string
  /** What is said above the chart: values that add up, the newest, or the highest. */
  headline: 'sum' | 'last' | 'most'
  look: string
}

/** Bars over time, with the same figures as a table for who cannot see them. */
export function BarChart({ title, label, labels, values, format, headline, look }: BarChartProps) {
  const highest = Math.max(...values, 0)
  const step = WIDTH / Math.max(values.length, 1)
  const total = values.reduce((sum, value) => sum + value, 0)
  const said =
    headline === 'sum'
      ? t.total(format(total))
      : headline === 'last'
        ? t.latest(format(values.at(-1) ?? 0))
        : t.highest(format(highest))
  return (
    <figure>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{title}</span>
        <span className="text-sm text-muted tabular-nums">{said}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        className="mt-3 h-32 w-full"
      >
        <line
          x1="0"
          x2={WIDTH}
          y1={HEIGHT - 0.5}
          y2={HEIGHT - 0.5}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
        {values.map((value, index) => {
          const height = highest > 0 ? Math.max(value > 0 ? 2 : 0, (value / highest) * (HEIGHT - 6)) : 0
          return (
            <g key={labels[index]} className="group">
              {/* The whole column answers to the pointer, not only the bar. */}
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
                className={classes('pointer-events-none', look)}
              />
            </g>
          )
        })}
      </svg>
      <p className="mt-1 flex justify-between text-xs text-muted tabular-nums">
        <span>{labels[0]}</span>
        <span>{total === 0 ? t.none : t.highest(format(highest))}</span>
        <span>{labels.at(-1)}</span>
      </p>
      <details className="mt-2 text-sm">
        <summary className="cursor-pointer text-muted hover:text-text">{t.table}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls has to be reachable by keyboard */}
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
