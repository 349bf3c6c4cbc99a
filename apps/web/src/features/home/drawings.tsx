import { NodeShape } from '../../ui/node-mark.tsx'

/** Illustrations of the three steps, with the marks of the map. */

const FRAME = '0 0 320 190'

function Frame({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <svg viewBox={FRAME} role="img" aria-label={title} className="w-full" strokeLinecap="round" strokeLinejoin="round">
      {children}
    </svg>
  )
}

const BLOCKS = [0, 1, 2, 3] as const
const hashes = ['9f2c', '41ab', 'e07d', '5b18'] as const

/** A file, its blocks, and the root of their hashes. */
export function Cut({ title }: { title: string }) {
  return (
    <Frame title={title}>
      <path d="M16 25h52l22 22v118h-74z" className="fill-surface stroke-control" strokeWidth="1.5" />
      <path d="M68 25v22h22" className="fill-none stroke-control" strokeWidth="1.5" />
      {[60, 95, 130].map((y) => (
        <path key={y} d={`M8 ${y}h90`} className="fill-none stroke-signal" strokeWidth="1.5" strokeDasharray="4 4" />
      ))}
      {BLOCKS.map((block) => {
        const y = 32 + block * 35
        return (
          <g key={block}>
            <path d={`M102 ${y + 11}h22`} className="fill-none stroke-control" strokeWidth="1.25" />
            <rect
              x="130"
              y={y}
              width="62"
              height="22"
              rx="4"
              className="fill-accent-soft stroke-accent"
              strokeWidth="1.5"
            />
            <text x="161" y={y + 15} textAnchor="middle" fontSize="12" className="fill-accent font-mono">
              {hashes[block]}
            </text>
            <path
              d={`M192 ${y + 11}C226 ${y + 11} 220 95 246 95`}
              className="fill-none stroke-accent"
              strokeWidth="1.25"
            />
          </g>
        )
      })}
      <circle cx="262" cy="95" r="16" className="fill-accent" />
      <path d="M255 95l5 5l9-10" className="fill-none stroke-on-accent" strokeWidth="2" />
      <text x="262" y="134" textAnchor="middle" fontSize="12" className="fill-text font-mono">
        bafybei…
      </text>
      <text x="262" y="64" textAnchor="middle" fontSize="12" className="fill-muted">
        CID
      </text>
    </Frame>
  )
}

const first = { x: 62, y: 95 }
const others = [
  { x: 178, y: 30, kind: 1 },
  { x: 262, y: 66, kind: 2 },
  { x: 178, y: 160, kind: 1 },
] as const
const offline = { x: 172, y: 95 }
const replacement = { x: 262, y: 136 }

/** The blocks of a node, beside its mark. */
function StoredBlocks({ x, y }: { x: number; y: number }) {
  return (
    <g className="fill-accent-soft stroke-accent" strokeWidth="1.25">
      {[0, 1, 2, 3].map((block) => (
        <rect
          key={block}
          x={x + 16 + (block % 2) * 11}
          y={y - 10 + Math.floor(block / 2) * 11}
          width="9"
          height="9"
          rx="2"
        />
      ))}
    </g>
  )
}

function Node({ x, y, kind, online = true }: { x: number; y: number; kind: 1 | 2 | 3; online?: boolean }) {
  return (
    <g transform={`translate(${x} ${y}) scale(1.7)`}>
      <NodeShape kind={kind} status={online ? 'online' : 'offline'} />
    </g>
  )
}

/** A file is copied from the first node to others; an offline node is replaced. */
export function Copied({ title }: { title: string }) {
  return (
    <Frame title={title}>
      {others.map(({ x, y }) => (
        <path
          key={`${x} ${y}`}
          d={`M${first.x} ${first.y}Q${(first.x + x) / 2} ${y} ${x} ${y}`}
          className="fill-none stroke-accent"
          strokeWidth="1.5"
          strokeDasharray="3 4"
        />
      ))}
      <path d={`M${first.x} ${first.y}H${offline.x}`} className="fill-none stroke-line" strokeWidth="1.5" />
      <path d="M112 89l12 12m0-12l-12 12" className="fill-none stroke-warn" strokeWidth="1.75" />
      <path
        d={`M${others[2].x} ${others[2].y}Q${230} ${replacement.y + 26} ${replacement.x} ${replacement.y}`}
        className="fill-none stroke-signal"
        strokeWidth="1.75"
      />
      <path d="M22 95h18m-6-6l6 6l-6 6" className="fill-none stroke-signal" strokeWidth="1.75" />
      <Node {...first} kind={2} />
      <StoredBlocks x={first.x - 34} y={first.y + 34} />
      {others.map((node) => (
        <g key={`${node.x} ${node.y}`}>
          <Node {...node} />
          <StoredBlocks {...node} />
        </g>
      ))}
      <Node {...offline} kind={1} online={false} />
      <Node {...replacement} kind={1} />
      <StoredBlocks {...replacement} />
    </Frame>
  )
}

const sources = [
  { x: 36, y: 34, kind: 1 },
  { x: 36, y: 95, kind: 2 },
  { x: 36, y: 156, kind: 1 },
] as const

/** The source of each block. The third block arrives damaged from the second node, and is fetched from the last one. */
const deliveries = [
  { from: 0, block: 0 },
  { from: 1, block: 1 },
  { from: 2, block: 2 },
  { from: 2, block: 3 },
] as const

/** Blocks from several nodes form a file; a damaged block is rejected. */
export function Fetched({ title }: { title: string }) {
  const top = (block: number) => 33 + block * 32
  const pathOf = (from: number, y: number) => {
    const source = sources[from]!
    return `M${source.x + 14} ${source.y}C150 ${source.y} 150 ${y} 224 ${y}`
  }
  return (
    <Frame title={title}>
      {deliveries.map(({ from, block }) => (
        <path
          key={block}
          d={pathOf(from, top(block) + 14)}
          className={block === 2 ? 'fill-none stroke-signal' : 'fill-none stroke-accent'}
          strokeWidth="1.5"
        />
      ))}
      <path
        d="M50 95C112 95 118 108 158 110"
        className="fill-none stroke-warn"
        strokeWidth="1.5"
        strokeDasharray="3 4"
      />
      <path d="M160 104l12 12m0-12l-12 12" className="fill-none stroke-warn" strokeWidth="1.75" />
      {sources.map((source) => (
        <Node key={source.y} {...source} />
      ))}
      <rect x="224" y="26" width="78" height="138" rx="8" className="fill-surface stroke-control" strokeWidth="1.5" />
      {BLOCKS.map((block) => (
        <g key={block}>
          <rect
            x="231"
            y={top(block)}
            width="64"
            height="28"
            rx="4"
            className="fill-accent-soft stroke-accent"
            strokeWidth="1.5"
          />
          <path d={`M256 ${top(block) + 14}l5 5l10-10`} className="fill-none stroke-accent" strokeWidth="2" />
        </g>
      ))}
    </Frame>
  )
}
