import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'

/** A page that has not come after so long will not come: the person is offered to try again. */
const LIMIT_MS = 120_000

/** A page whose code is fetched when somebody goes there. */
export function page<T extends Record<string, unknown>, K extends keyof T & string>(
  load: () => Promise<T>,
  name: K,
): RouteComponent {
  const limited = () => {
    let timer: ReturnType<typeof setTimeout>
    const late = new Promise<never>((_, reject) => {
      // In words of its own: at those of a failed import the router loads the whole page again before anyone is told.
      timer = setTimeout(() => reject(new Error('The page did not come in time')), LIMIT_MS)
    })
    // Whoever draws pages at build would wait for what is left of the time.
    return Promise.race([load(), late]).finally(() => clearTimeout(timer))
  }
  return lazyRouteComponent(limited as () => Promise<Record<K, RouteComponent>>, name)
}
