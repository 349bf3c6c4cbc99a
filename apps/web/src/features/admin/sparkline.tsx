const WIDTH = 100
const HEIGHT = 24

/** A small line of values over time, without a scale; the same is said in words beside it. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const low = Math.min(...values)
  const span = Math.max(...values) - low
  const x = (index: number) => (index / Math.max(1, values.length - 1)) * WIDTH
  // A constant value is a line in the middle.
  const y = (value: number) => (span === 0 ? HEIGHT / 2 : HEIGHT - 1 - ((value - low) / span) * (HEIGHT - 2))
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className="mt-3 h-8 w-full overflow-visible"
    >
      <polyline
        points={values.map((value, index) => `${x(index).toFixed(2)},${y(value).toFixed(2)}`).join(' ')}
        fill="none"
        vectorEffect="non-scaling-stroke"
        className="stroke-series-1 stroke-2"
      />
    </svg>
  )
}
