import { expect, it } from 'vitest'
import { pullFailureOf } from './pull-failures.ts'

/** What Podman, Docker and containerd say, by its cause. */
it.each([
  ['unreachable', 'Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host'],
  [
    'unreachable',
    'initializing source docker://ghcr.io/a/b:401: pinging container registry ghcr.io: Get "https://ghcr.io/v2/": dial tcp: lookup ghcr.io on 10.0.0.2:53: server misbehaving',
  ],
  [
    'unreachable',
    'pinging container registry localhost:5000: Get "https://localhost:5000/v2/": dial tcp 127.0.0.1:5000: connect: connection refused',
  ],
  ['unreachable', 'Get "https://registry-1.docker.io/v2/": net/http: TLS handshake timeout'],
  [
    'unreachable',
    'Get "https://registry-1.docker.io/v2/": net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)',
  ],
  ['unreachable', 'Get "https://quay.io/v2/": tls: failed to verify certificate: x509: certificate has expired'],
  ['unreachable', 'received unexpected HTTP status: 503 Service Unavailable'],
  ['tag', 'manifest for nginx:9.99 not found: manifest unknown: manifest unknown'],
  ['tag', 'reading manifest 9.99 in docker.io/library/nginx: manifest unknown'],
  ['tag', 'failed to resolve reference "docker.io/library/nginx:9.99": docker.io/library/nginx:9.99: not found'],
  ['name', 'reading manifest latest in quay.io/a/b: name unknown: repository not found'],
  ['name', 'manifest unknown: repository name not known to registry'],
  ['registry', "pull access denied for a/b, repository does not exist or may require 'docker login'"],
  ['registry', 'reading manifest latest in docker.io/a/b: requested access to the resource is denied'],
  [
    'registry',
    'unable to retrieve auth token: invalid username/password: unauthorized: incorrect username or password',
  ],
  ['registry', 'unexpected status from HEAD request to https://ghcr.io/v2/a/b/manifests/1: 403 Forbidden'],
  ['image', 'no space left on device'],
  ['image', 'no image found in manifest list for architecture "arm64"'],
] as const)('%s: %s', (cause, message) => {
  expect(pullFailureOf(message)).toBe(cause)
})
