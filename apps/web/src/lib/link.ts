/** Splits an address into the props of a router link. */
export function linkTo(href: string): { to: string; search?: Record<string, string | number>; hash?: string } {
  const { pathname, searchParams, hash } = new URL(href, 'http://portal')
  const search = Object.fromEntries(
    [...searchParams].map(([key, value]) => [key, /^\d{1,15}$/.test(value) ? Number(value) : value]),
  )
  return {
    to: pathname,
    ...(searchParams.size > 0 && { search }),
    ...(hash && { hash: hash.slice(1) }),
  }
}
