/** What there is on the services host, as the server knows it; everything else lies on the portal's own. */
const SERVICES = /^\/(dashboard|myaccount|login|signup)?\/*$/i

/** Whether this is the services variant of the portal, which the server says in the page. */
export const isServicesVariant = (): boolean =>
  typeof document !== 'undefined' && document.documentElement.dataset.variant === 'services'

/** Whether a path has to be asked of the server, because this variant does not have it. */
export const isOnOtherHost = (pathname: string): boolean => isServicesVariant() && !SERVICES.test(pathname)
