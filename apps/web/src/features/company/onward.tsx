import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { linkTo } from '../../lib/link.ts'
import type { OnwardName } from './texts.en.ts'
import { t } from './texts.ts'

const hrefs: Readonly<Record<OnwardName, string>> = {
  upload: '/Upload',
  network: '/storagenetwork',
  node: '/download',
  services: '/services',
  basics: '/learn?type=BASICS',
  news: '/learn?type=NEWS',
  cases: '/learn?type=CASES',
  changelog: '/morelog',
  containers: '/tc2',
  introduction: '/introduction',
  developer: '/developer',
  encryption: '/learndetail?slug=encryption-before-upload',
  ask: '/about#feedback',
}

/** Links to further pages, at the end of a page. */
export function OnwardLinks({ to }: { to: readonly OnwardName[] }) {
  return (
    <nav aria-label={t.onward.title} className="border-t border-line">
      <ul className="mx-auto grid max-w-6xl px-5 sm:px-8 md:grid-cols-3 md:gap-x-10">
        {to.map((name) => {
          const [title, text] = t.onward.to[name]
          return (
            <li key={name} className="group relative border-b border-line py-7 last:border-b-0 md:border-b-0 md:py-9">
              <Link
                {...linkTo(hrefs[name])}
                className="flex items-center gap-2 font-semibold after:absolute after:inset-0"
              >
                {title}
                <ArrowRight
                  aria-hidden
                  className="size-4 text-accent transition-transform group-hover:translate-x-0.5"
                />
              </Link>
              <p className="mt-1 text-sm text-muted">{text}</p>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
