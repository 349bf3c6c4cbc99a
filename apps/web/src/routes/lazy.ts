import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'

/** A page that has not come after so long will not come: the person is offered to try again. */
const LIMIT_MS = 120_000

/** A page whose code is fetched when somebody goes there: what the file exports as `…Page`. */
export function page(load: () => Promise<Record<`${string}Page`, RouteComponent>>): RouteComponent {
  return lazyRouteComponent(async () => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      // In words of its own: at those of a failed import the router loads the whole page again before anyone is told.
      timer = setTimeout(() => reject(new Error('The page did not come in time')), LIMIT_MS)
    })
    // Whoever draws pages at build would wait for what is left of the time.
    const found = await Promise.race([load(), late]).finally(() => clearTimeout(timer))
    return { default: Object.entries(found).find(([name]) => name.endsWith('Page'))?.[1] as RouteComponent }
  })
}
