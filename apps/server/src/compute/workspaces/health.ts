import { request } from 'node:http'
import { connect } from 'node:net'
import type { HealthCheck } from '@tidenet/contract'
import type { ProgramAddress } from '../clusters/driver.ts'

const TIMEOUT_MS = 5000
const HEADER_MAX_BYTES = 16_384

/**
 * Tries a port of a program once. Over HTTP, a status from 200 to 399 is a success; redirects are not followed and no body is read, so a
 * program can neither lead the check elsewhere nor keep it busy.
 * @returns undefined, or what was wrong, in English
 */
export function probeHealth(
  address: ProgramAddress,
  { kind, path }: Pick<HealthCheck, 'kind' | 'path'>,
  timeoutMs = TIMEOUT_MS,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const target =
      kind === 'tcp'
        ? connect(address, () => finish(undefined))
        : request({
            ...('path' in address ? { socketPath: address.path } : address),
            path,
            agent: false,
            maxHeaderSize: HEADER_MAX_BYTES,
            headers: { 'User-Agent': 'tidenet-health' },
          })
            .on('response', ({ statusCode = 0 }) =>
              finish(statusCode >= 200 && statusCode < 400 ? undefined : `HTTP status ${statusCode}`),
            )
            .end()
    const timer = setTimeout(() => finish(`no answer within ${timeoutMs / 1000} s`), timeoutMs)
    function finish(problem: string | undefined) {
      clearTimeout(timer)
      resolve(problem)
      target.destroy()
    }
    target.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message))
  })
}
