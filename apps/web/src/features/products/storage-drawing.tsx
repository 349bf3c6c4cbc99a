import { t } from './storage-texts.ts'

const blocks = ['a', 'b', 'c', 'd']
const nodes = [
  { y: 14, state: 'whole' },
  { y: 104, state: 'whole' },
  { y: 194, state: 'off' },
  { y: 284, state: 'filling' },
] as const

/** A file is split into blocks, the blocks give a CID, and several devices store copies. */
export function StorageDrawing() {
  return (
    <svg viewBox="10 0 484 368" role="img" aria-label={t.drawing} className="h-auto w-full max-w-136">
      <g fill="none" strokeWidth="1.5" className="stroke-control">
        <path d="M22 104h62l20 20v140H22z" className="fill-surface" />
        <path d="M84 104v20h20" />
        <path d="M22 144h82M22 184h82M22 224h82" strokeDasharray="3 5" />
      </g>
      {blocks.map((name, index) => (
        <g key={name}>
          <path d={`M104 ${124 + index * 40}h36`} className="stroke-line" strokeWidth="1.5" />
          <Block x={140} y={111 + index * 40} name={name} />
          <path
            d={`M168 ${125 + index * 40}C196 ${125 + index * 40} 192 185 218 185`}
            fill="none"
            className="stroke-accent"
            strokeWidth="1.5"
          />
        </g>
      ))}
      <circle cx="238" cy="185" r="20" className="fill-accent-soft stroke-accent" strokeWidth="1.5" />
      <text x="238" y="189.5" textAnchor="middle" fontSize="13" className="fill-accent font-mono font-medium">
        CID
      </text>
      <text x="238" y="228" textAnchor="middle" fontSize="14" className="fill-muted">
        {t.cidNote}
      </text>
      {nodes.map(({ y, state }, index) => (
        <g key={y}>
          <path
            d={`M258 185C290 185 280 ${y + 35} 310 ${y + 35}`}
            fill="none"
            strokeWidth="1.5"
            className={state === 'off' ? 'stroke-line' : 'stroke-control'}
            strokeDasharray={state === 'whole' ? undefined : '3 5'}
          />
          <rect
            x="310"
            y={y}
            width="150"
            height="70"
            rx="10"
            strokeWidth="1.5"
            strokeDasharray={state === 'off' ? '4 5' : undefined}
            className="fill-surface stroke-control"
          />
          <circle
            cx="326"
            cy={y + 16}
            r="4"
            strokeWidth="1.5"
            className={state === 'off' ? 'fill-none stroke-control' : 'fill-good'}
          />
          <path d={`M338 ${y + 16}h${index % 2 ? 40 : 54}`} strokeWidth="1.5" className="stroke-line" />
          {blocks.map((name, at) => (
            <Block
              key={name}
              x={322 + at * 33}
              y={y + 32}
              name={name}
              state={state === 'off' ? 'gone' : state === 'filling' && at > 1 ? (at === 2 ? 'moving' : 'gone') : 'here'}
            />
          ))}
        </g>
      ))}
      <path
        d="M460 139C494 150 494 308 460 319"
        fill="none"
        strokeWidth="1.5"
        strokeDasharray="2 5"
        strokeLinecap="round"
        className="stroke-signal"
      />
    </svg>
  )
}

function Block({
  x,
  y,
  name,
  state = 'here',
}: {
  x: number
  y: number
  name: string
  state?: 'here' | 'gone' | 'moving'
}) {
  const look = {
    here: 'fill-accent-soft stroke-accent',
    gone: 'fill-none stroke-line',
    moving: 'fill-signal-soft stroke-signal',
  }[state]
  return (
    <g>
      <rect x={x} y={y} width="28" height="28" rx="5" strokeWidth="1.5" className={look} />
      <text
        x={x + 14}
        y={y + 18.5}
        textAnchor="middle"
        fontSize="13"
        className={
          state === 'here'
            ? 'fill-accent font-mono'
            : state === 'moving'
              ? 'fill-signal font-mono'
              : 'fill-muted font-mono'
        }
      >
        {state === 'gone' ? '' : name}
      </text>
    </g>
  )
}
