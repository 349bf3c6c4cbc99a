import uPlot from 'uplot'
import { formatDateTime, formatHour } from '../../lib/format.ts'

export interface Lines {
  /** The shown period. */
  hours: number
  /** Unix seconds. */
  at: readonly number[]
  series: readonly { name: string; values: readonly number[] }[]
  /** The limit, drawn as a line. */
  limit?: number | undefined
  bytes?: boolean
  format: (value: number) => string
}

/** A limit above this multiple of the highest value is not drawn, because it would flatten the lines. */
const MAX_LIMIT_RATIO = 5
/** Axis steps for bytes: round in KiB, MiB and so on. */
const POWERS = Array.from({ length: 50 }, (_, power) => 2 ** power)
const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
const INKS = ['--series-1', '--series-2'] as const

/** Draws a line chart in the colours of the current theme. */
export function drawLines(host: HTMLElement, { hours, at, series, limit, bytes = false, format }: Lines): uPlot {
  const highest = Math.max(0, ...series.flatMap(({ values }) => values))
  const near = limit !== undefined && (highest === 0 || limit <= highest * MAX_LIMIT_RATIO)
  const top = near ? Math.max(limit, highest) * 1.1 : highest * 1.3
  const axis = { stroke: colour('--muted'), font: '12px "Geist Mono Variable", "Geist Mono", monospace' }
  const grid = { stroke: colour('--line'), width: 1 }
  const end = Math.max(Date.now() / 1000, at.at(-1) ?? 0)
  const start = end - hours * 3600
  const data = [
    [start, ...at, end],
    // The limit spans the whole period, the series do not.
    ...series.map(({ values }) => [null, ...values, null]),
    ...(near ? [[start, ...at, end].map(() => limit)] : []),
  ]
  return new uPlot(
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
