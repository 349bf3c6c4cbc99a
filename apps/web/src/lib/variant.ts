/** Paths of the services host; the portal's own host has all others. The server has the same list. */
const SERVICES_PATHS = /^\/(dashboard|myaccount|login|signup)?\/*$/i

/** Whether this is the services variant of the portal; the server sets an attribute in the page. */
export const isServicesVariant = (): boolean =>
  typeof document !== 'undefined' && document.documentElement.dataset.variant === 'services'

/** Whether only the other host has this path. */
export const isOnOtherHost = (pathname: string): boolean => isServicesVariant() && !SERVICES_PATHS.test(pathname)
