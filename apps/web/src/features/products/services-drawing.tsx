import type { ServiceName } from '@tidenet/contract'
import { pageNames } from '../../lib/page-names.ts'
import { t } from './services-texts.ts'
import { useStates } from './use-services.ts'

const resources = [
  ['storage', 62],
  ['bandwidth', 142],
  ['processor', 222],
  ['address', 302],
] as const

const services = [
  ['storage', 42, ['storage', 'bandwidth']],
  ['pcdn', 112, ['storage', 'bandwidth']],
  ['containers', 182, ['processor']],
  ['aiData', 252, ['bandwidth', 'address']],
  ['aiProxy', 322, ['bandwidth', 'address']],
] as const

const heights = Object.fromEntries(resources) as Record<(typeof resources)[number][0], number>

/** The resources of a device, and the services that use them. */
export function ServicesDrawing() {
  const stateOf = useStates()
  const runs = (name: ServiceName): boolean => stateOf(name).state === 'available'
  return (
    <svg viewBox="0 0 512 364" role="img" aria-label={t.drawing} className="h-auto w-full max-w-136">
      <rect x="8" y="16" width="152" height="332" rx="16" strokeWidth="1.5" className="fill-surface stroke-control" />
      {services.flatMap(([name, y, made]) =>
        made.map((from) => (
          <path
            key={`${name}-${from}`}
            d={`M160 ${heights[from]}C244 ${heights[from]} 234 ${y} 320 ${y}`}
            fill="none"
            strokeWidth={runs(name) ? 2 : 1.5}
            strokeDasharray={runs(name) ? undefined : '3 5'}
            className={runs(name) ? 'stroke-accent' : 'stroke-control'}
          />
        )),
      )}
      {resources.map(([name, y]) => (
        <g key={name}>
          <Sign name={name} y={y} />
          <text x="60" y={y + 5.5} fontSize="16" className="fill-text">
            {t.resources[name]}
          </text>
          <circle cx="160" cy={y} r="4.5" className="fill-accent" />
        </g>
      ))}
      {services.map(([name, y]) => (
        <g key={name}>
          <rect
            x="320"
            y={y - 22}
            width="186"
            height="44"
            rx="10"
            strokeWidth="1.5"
            strokeDasharray={runs(name) ? undefined : '4 5'}
            className={runs(name) ? 'fill-accent-soft stroke-accent' : 'fill-surface stroke-control'}
          />
          <text x="336" y={y + 5.5} fontSize="16" className={runs(name) ? 'fill-accent font-medium' : 'fill-text'}>
            {pageNames[name]}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** Icon of a resource. */
function Sign({ name, y }: { name: (typeof resources)[number][0]; y: number }) {
  const signs = {
    storage: `M26 ${y - 7}c0-3 18-3 18 0v14c0 3-18 3-18 0zM26 ${y - 7}c0 3 18 3 18 0M26 ${y}c0 3 18 3 18 0`,
    bandwidth: `M25 ${y + 3}c4 0 4-7 8-7s4 7 7 7 3-4 5-4`,
    processor: `M29 ${y - 6}h12v12h-12zM32 ${y - 10}v4M38 ${y - 10}v4M32 ${y + 6}v4M38 ${y + 6}v4M25 ${y - 3}h4M25 ${y + 3}h4M41 ${y - 3}h4M41 ${y + 3}h4`,
    address: `M35 ${y + 9}c-5-6-7-9-7-12a7 7 0 0 1 14 0c0 3-2 6-7 12zM33 ${y - 3}a2 2 0 1 0 4 0a2 2 0 1 0-4 0`,
  }
  return <path d={signs[name]} fill="none" strokeWidth="1.5" strokeLinejoin="round" className="stroke-accent" />
}
