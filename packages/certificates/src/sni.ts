import { createSecureContext, type SecureContext } from 'node:tls'
import type { Certificate } from './x509.ts'

/** The certificates of a server by name. */
export interface CertificateIndex {
  /** Replaces what was there under this ID; undefined removes it. */
  set(id: string, certificate: Certificate | undefined): void
  /** For a host name: one that names it, otherwise one for all names beside it. Of several, the one that is valid longest. */
  find(hostname: string): Certificate | undefined
}

export function createCertificateIndex(): CertificateIndex {
  const byId = new Map<string, Certificate>()
  const byName = new Map<string, Map<string, Certificate>>()
  const longest = (name: string) => {
    const found = [...(byName.get(name)?.values() ?? [])]
    return found.length > 0 ? found.reduce((best, each) => (each.notAfter > best.notAfter ? each : best)) : undefined
  }
  return {
    set(id, certificate) {
      for (const name of byId.get(id)?.names ?? []) {
        byName.get(name)?.delete(id)
        if (byName.get(name)?.size === 0) byName.delete(name)
      }
      byId.delete(id)
      if (!certificate) return
      byId.set(id, certificate)
      for (const name of certificate.names) {
        const all = byName.get(name) ?? new Map<string, Certificate>()
        byName.set(name, all.set(id, certificate))
      }
    },
    find(hostname) {
      const name = hostname.toLowerCase()
      // A wildcard stands for one label (RFC 6125).
      return longest(name) ?? longest(name.replace(/^[^.]*/, '*'))
    },
  }
}

export type SniCallback = (hostname: string, done: (error: Error | null, context?: SecureContext) => void) => void

/**
 * SNICallback of a TLS or HTTP/2 server that has no certificate of its own: a name without a certificate ends the handshake. TLS 1.2 and
 * 1.3 alike get the certificate of the name they ask for, and never another one.
 * @param find must return the same object as long as the certificate is the same; several sources: `(name) => own.find(name) ?? acme.find(name)`
 */
export function createSniCallback(find: (hostname: string) => Certificate | undefined): SniCallback {
  const contexts = new WeakMap<Certificate, SecureContext>()
  return (hostname, done) => {
    try {
      const certificate = find(hostname)
      // Without an error, the server would continue with its default context.
      if (!certificate) return done(new UnknownName(hostname))
      const context = contexts.get(certificate) ?? createSecureContext({ cert: certificate.cert, key: certificate.key })
      contexts.set(certificate, context)
      done(null, context)
    } catch (error) {
      done(error as Error)
    }
  }
}

/** A client asked for a name without a certificate; it is emitted as `tlsClientError`. */
export class UnknownName extends Error {
  override name = 'UnknownName'
  constructor(hostname: string) {
    super(`No certificate for ${JSON.stringify(hostname.slice(0, 253))}`)
  }
}
