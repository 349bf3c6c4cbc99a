import type { PlatformConfig } from '../config.ts'

/** The one page that other sites may show in a frame: it acts for nobody, so there is nothing to trick people into. */
export const isEmbeddable = (url: string): boolean => /^\/td-distributionstatus(?:\?|$)/.test(url)

/**
 * What every answer tells a browser it may do with it. Put together once: doing that for every answer takes longer than most calls.
 * @param embeddable for the page that any site may show in a frame
 */
export function securityHeaders(
  environment: PlatformConfig['environment'],
  embeddable = false,
): Readonly<Record<string, string>> {
  const production = environment === 'production'
  // Bytes go straight between browser and nodes, which live on hosts of their own.
  const nodes = production ? 'https:' : 'http: https:'
  const policy = {
    'default-src': "'self'",
    // WebAssembly alone, which names files by MD5 in a worker; no script may be made from text.
    'script-src': "'self' 'wasm-unsafe-eval'",
    'style-src': "'self'",
    'worker-src': "'self'",
    'img-src': `'self' data: blob: ${nodes}`,
    'media-src': `'self' blob: ${nodes}`,
    'connect-src': `'self' ${nodes}`,
    'frame-src': `'self' blob: ${nodes}`,
    'font-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'self'",
    'frame-ancestors': embeddable ? '*' : "'none'",
    'form-action': "'self'",
  }
  return {
    'content-security-policy': Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': embeddable ? 'cross-origin' : 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    ...(!embeddable && { 'x-frame-options': 'SAMEORIGIN' }),
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
    ...(production && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}
