import { Link } from '@tanstack/react-router'
import { Check, HardDrive } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../../ui/states.tsx'
import { t } from './texts.ts'

const e = t.empty

/** The empty state: benefits and steps. */
export function NoDevices({ action }: { action: ReactNode }) {
  return (
    <Card className="grid gap-x-12 gap-y-8 p-6 sm:p-8 lg:grid-cols-[1.1fr_1fr]">
      <div className="flex flex-col items-start">
        <span className="flex size-12 items-center justify-center rounded-full bg-accent-soft text-accent">
          <HardDrive aria-hidden className="size-6" />
        </span>
        <h2 className="mt-4 text-lg font-semibold">{e.title}</h2>
        <p className="mt-1 text-muted">{e.text}</p>
        <ul className="mt-4 flex flex-col gap-2">
          {e.gives.map((benefit) => (
            <li key={benefit} className="flex gap-2.5">
              <Check aria-hidden className="mt-1 size-4 shrink-0 text-good" />
              {benefit}
            </li>
          ))}
        </ul>
        <div className="mt-6">{action}</div>
      </div>
      <div className="lg:border-l lg:border-line lg:pl-10">
        <h2 className="font-semibold">{e.steps}</h2>
        <ol className="mt-4 flex flex-col gap-5">
          {e.step.map(([title, text], index) => (
            <li key={title} className="flex gap-4">
              <span
                aria-hidden
                className="flex size-7 shrink-0 items-center justify-center rounded-full border border-line font-mono text-sm text-accent tabular-nums"
              >
                {index + 1}
              </span>
              <div>
                <h3 className="font-medium">{title}</h3>
                <p className="text-sm text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ol>
        <Link
          to="/download"
          hash="kinds"
          className="mt-5 inline-flex min-h-7 items-center text-sm text-accent underline"
        >
          {e.program}
        </Link>
      </div>
    </Card>
  )
}
