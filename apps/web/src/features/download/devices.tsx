import { HardDrive, Laptop, Monitor, Smartphone, TabletSmartphone, Terminal } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/states.tsx'
import { t } from './texts.ts'

const rows = (): { key: keyof typeof t.devices; icon: ReactNode; state: keyof typeof t.states; href?: string }[] => [
  { key: 'cli', icon: <Terminal />, state: 'available', href: '#cli' },
  { key: 'node', icon: <HardDrive />, state: 'available', href: '#node' },
  { key: 'windows', icon: <Monitor />, state: 'none' },
  { key: 'mac', icon: <Laptop />, state: 'none' },
  { key: 'android', icon: <Smartphone />, state: 'none' },
  { key: 'ios', icon: <TabletSmartphone />, state: 'later' },
]
const networks = [4, 3] as const
const columns = 'md:grid-cols-[1.1fr_2fr_8rem_8rem]'

/** Every kind of device, in which state its program is on each network, and what works on it today. */
export function Devices() {
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
        {rows().map(({ key, icon, state, href }) => {
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
              {networks.map((network) => (
                <p key={network} className="flex items-center justify-between gap-3 md:block">
                  <span className="text-sm text-muted md:sr-only">{t.networks[network]}</span>
                  <Badge tone={state === 'available' ? 'accent' : 'plain'}>{t.states[state]}</Badge>
                </p>
              ))}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
