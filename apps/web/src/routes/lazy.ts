import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { PageTimeout } from '../lib/page-timeout.ts'

/** How long a page may load until an error with a retry button appears. */
const TIMEOUT_MS = 120_000

/** A lazily loaded page: the export of the module whose name ends in `Page`. */
export function page(load: () => Promise<Record<`${string}Page`, RouteComponent>>): RouteComponent {
  return lazyRouteComponent(async () => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new PageTimeout()), TIMEOUT_MS)
    })
    // Clear the timer, or prerendering would wait for it.
    const exports = await Promise.race([load(), timeout]).finally(() => clearTimeout(timer))
    return { default: Object.entries(exports).find(([name]) => name.endsWith('Page'))?.[1] as RouteComponent }
  })
}
