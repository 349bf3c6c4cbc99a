import type { PullFailure } from './driver.ts'

/**
 * What registries and engines say. The order matters: an engine that could not connect names hosts and ports, which could look like a status,
 * and a registry that knows the name but not the tag says "not found", too.
 */
const CAUSES: readonly (readonly [PullFailure, RegExp])[] = [
  [
    'unreachable',
    /\blookup .* on |no such host|server misbehaving|name resolution|\bdial (tcp|udp)\b|connection (refused|reset)|network is unreachable|no route to host|i\/o timeout|handshake (timeout|failure)|awaiting headers|deadline exceeded|x509:|tls: |HTTP response to HTTPS client|\b50[0234]\b.*(gateway|unavailable|server error)|unexpected EOF|: EOF$/im,
  ],
  [
    'registry',
    /unauthorized|authentication required|authorization failed|invalid username|access.*denied|denied:|: denied$|no basic auth/im,
  ],
  ['name', /name unknown|name_unknown|repository .*not (known|found)/i],
  [
    'tag',
    /manifest unknown|manifest_unknown|manifest for .* not found|reading manifest .* (not found|404)|: not found$/im,
  ],
  ['registry', /\b40[13]\b/],
]

/** Why a cluster could not pull an image. @param message what it says */
export const pullFailureOf = (message: string): PullFailure =>
  CAUSES.find(([, pattern]) => pattern.test(message))?.[0] ?? 'image'
