import { encode } from 'uqr'

/** A QR code as one SVG path; dark on light in both themes, as scanners expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  let path = ''
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      if (!data[row]?.[column]) continue
      const from = column
      while (data[row]?.[column + 1]) column++
      path += `M${from} ${row}h${column + 1 - from}v1h-${column + 1 - from}z`
    }
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="block w-full rounded-lg border border-line"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#10242d" />
    </svg>
  )
}
