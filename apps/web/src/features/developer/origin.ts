/** The origin of this portal. Prerendered pages contain a placeholder that the server replaces. */
export const portalOrigin = (): string => (import.meta.env.SSR ? '{{origin}}' : location.origin)
