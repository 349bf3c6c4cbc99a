import type { Release } from '@tidenet/contract'
import { HardDrive, Laptop, Monitor, Smartphone, TabletSmartphone, Terminal } from 'lucide-react'
import type { ReactNode } from 'react'
import { query, useQuery } from '../../lib/queries.ts'
import { Badge } from '../../ui/states.tsx'
import { useServices } from '../products/use-services.ts'
import { t } from './texts.ts'

type State = keyof typeof t.states
type Network = 3 | 4

interface Row {
  key: keyof typeof t.devices
  icon: ReactNode
  /** What this portal must offer for it: a program, or one as a single executable of a system. */
  offers?: (release: Release) => boolean
  state?: State
  href?: string
}

/** For rows without a fixed state it is determined live: is there a release, and has the network an address? */
const rows = (): Row[] => [
  { key: 'cli', icon: <Terminal />, offers: ({ kind }) => kind === 'cli', href: '#cli' },
  { key: 'node', icon: <HardDrive />, offers: ({ kind }) => kind === 'node', href: '#node' },
  { key: 'windows', icon: <Monitor />, offers: single('windows'), href: '#single' },
  { key: 'mac', icon: <Laptop />, offers: single('macos'), href: '#single' },
  { key: 'android', icon: <Smartphone />, href: '#android' },
  { key: 'ios', icon: <TabletSmartphone />, state: 'later' },
]
const single =
  (system: string) =>
  ({ kind, platform }: Release): boolean =>
    kind === 'node' && platform.startsWith(system)
const networks: readonly Network[] = [4, 3]

/** Whether this portal offers what a row is about, and the network has an address. */
function useRowState(): (row: Row, network: Network) => State {
  const { data: releases } = useQuery(query('releases.list', {}))
  const { data: services } = useServices()
  return ({ state, offers }, network) => {
    if (state) return state
    if (!releases || !services) return 'checking'
    if (offers && !releases.list.some(offers)) return 'unpacked'
    return services.networks.some(({ testnet, url }) => testnet === network && url !== '') ? 'available' : 'noAddress'
  }
}

const columns = 'md:grid-cols-[1.1fr_2fr_8rem_8rem]'

/** Device types, with the availability of their program on each network. */
export function Devices() {
  const stateOf = useRowState()
  return (
    <div className="overflow-hidden rounded-2xl border border-line bg-surface">
      <div
        aria-hidden
        className={`hidden gap-x-8 border-b border-line px-6 py-3 text-sm font-medium md:grid ${columns}`}
      >
        <span className="col-span-2" />
        {networks.map((network) => (
          <span key={network}>{t.networks[network]}</span>
        ))}
      </div>
      <ul className="divide-y divide-line">
        {rows().map((row) => {
          const { key, icon, href } = row
          const { title, systems, text } = t.devices[key]
          return (
            <li key={key} className={`grid gap-x-8 gap-y-3 p-5 sm:px-6 md:items-center ${columns}`}>
              <div className="flex items-center gap-4">
                <span aria-hidden className="text-accent [&>svg]:size-5">
                  {icon}
                </span>
                <div>
                  <h3 className="font-semibold">
                    {href ? (
                      <a href={href} className="hover:underline">
                        {title}
                      </a>
                    ) : (
                      title
                    )}
                  </h3>
                  <p className="text-sm text-muted">{systems}</p>
                </div>
              </div>
              <p className="text-sm text-muted">{text}</p>
              {networks.map((network) => {
                const current = stateOf(row, network)
                return (
                  <p key={network} className="flex items-center justify-between gap-3 md:block">
                    <span className="text-sm text-muted md:sr-only">{t.networks[network]}</span>
                    <Badge tone={current === 'available' ? 'accent' : 'plain'}>{t.states[current]}</Badge>
                  </p>
                )
              })}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
