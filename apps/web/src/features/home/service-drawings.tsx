/** An illustration for each service, in the order of the list. */
const lines = { fill: 'none', strokeWidth: 1.5, strokeLinecap: 'round', strokeLinejoin: 'round' } as const

function Small({ children }: { children: React.ReactNode }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 200 80" className="h-full stroke-current" {...lines}>
      {children}
    </svg>
  )
}

export const serviceDrawings = [
  <Small key="storage">
    {[0, 1, 2].map((row) =>
      [0, 1, 2, 3].map((column) => (
        <rect
          key={`${row}${column}`}
          x={2 + column * 26}
          y={4 + row * 25}
          width="20"
          height="20"
          rx="4"
          className={(row + column) % 3 === 0 ? 'fill-accent-soft' : 'stroke-control'}
        />
      )),
    )}
    <path d="M112 40h30m-8-8l8 8l-8 8" />
    <circle cx="170" cy="40" r="18" className="fill-accent-soft" />
    <path d="M162 40l6 6l11-12" />
  </Small>,
  <Small key="containers">
    <path d="M4 26l34-16l34 16v30l-34 16l-34-16zM4 26l34 16l34-16M38 42v30" />
    <path d="M92 20h100M92 40h74M92 60h88" className="stroke-line" strokeWidth="8" />
    <path d="M92 20h62M92 40h30M92 60h48" strokeWidth="8" />
  </Small>,
  <Small key="delivery">
    <circle cx="22" cy="40" r="12" className="fill-accent-soft" />
    {[12, 40, 68].map((y) => (
      <g key={y}>
        <path d={`M34 40C60 40 60 ${y} 88 ${y}`} className="stroke-control" strokeDasharray="3 4" />
        <rect x="90" y={y - 8} width="16" height="16" rx="3" className="fill-accent-soft" />
        <path d={`M106 ${y}h52m-7-6l7 6l-7 6`} />
        <circle cx="174" cy={y} r="5" className="stroke-control" />
      </g>
    ))}
  </Small>,
  <Small key="data">
    <rect x="2" y="8" width="66" height="64" rx="6" className="stroke-control" />
    <path d="M2 24h66M14 38h42M14 50h30M14 62h36" className="stroke-control" />
    <path d="M78 40h34m-8-8l8 8l-8 8" />
    <circle cx="150" cy="40" r="30" />
    <path d="M120 40h60M150 10c-22 20-22 40 0 60c22-20 22-40 0-60" className="stroke-control" />
  </Small>,
]
