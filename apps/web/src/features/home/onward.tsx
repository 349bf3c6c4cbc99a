import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** A link with an arrow. */
export function Onward({ children, ...to }: { children: ReactNode; to: string; search?: Record<string, string> }) {
  return (
    <Link {...to} className="inline-flex min-h-8 items-center gap-1.5 font-medium text-accent hover:underline">
      {children}
      <ArrowRight aria-hidden className="size-4" />
    </Link>
  )
}
