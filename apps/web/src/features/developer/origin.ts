/** The address of this portal. While pages are drawn at build the server's mark stands for it. */
export const portalOrigin = (): string => (import.meta.env.SSR ? '{{origin}}' : location.origin)
