import { readHeaders, readTarget, S3Error } from '@tidenet/s3-wire'
import { expect, it } from 'vitest'
import type { Exchange } from './exchange.ts'
import { SUBRESOURCES } from './route.ts'
import { requireUnderstood } from './understood.ts'

function codeOf(method: string, target: string, headers: Record<string, string> = {}): string {
  const read = { method, target: readTarget(target), headers: readHeaders(Object.entries(headers).flat()) }
  try {
    requireUnderstood(read as unknown as Exchange, SUBRESOURCES)
    return 'understood'
  } catch (error) {
    return error instanceof S3Error ? error.code : String(error)
  }
}

it('what clients add to addresses changes nothing', () => {
  expect(codeOf('PUT', '/b/a?x-id=PutObject')).toBe('understood')
  expect(codeOf('PUT', '/b/a?X-Amz-Security-Token')).toBe('understood')
  expect(codeOf('GET', '/b/a?cached')).toBe('understood')
  expect(codeOf('GET', '/b/a', { 'if-modified-since': 'Sun, 29 Nov 2026 00:00:00 GMT' })).toBe('understood')
})

it('a write is refused if it is an operation or has a condition that nobody here knows', () => {
  for (const method of ['PUT', 'POST', 'DELETE']) {
    expect(codeOf(method, '/b/a?operationOfTheFuture')).toBe('NotImplemented')
    expect(codeOf(method, '/b/a', { 'if-unmodified-since': 'Sun, 29 Nov 2026 00:00:00 GMT' })).toBe('NotImplemented')
    expect(codeOf(method, '/b/a', { 'x-amz-if-match-size': '4' })).toBe('NotImplemented')
  }
  expect(codeOf('DELETE', '/b/a', { 'if-none-match': '*' })).toBe('NotImplemented')
})
