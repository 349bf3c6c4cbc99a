import { readFileSync } from 'node:fs'
import { S3Error } from '@tidenet/s3-wire'
import { expect, it } from 'vitest'
import type { Exchange } from './exchange.ts'
import { route, SUBRESOURCES } from './route.ts'

const DOCUMENT = readFileSync(new URL('../../../docs/S3.md', import.meta.url), 'utf8')
/** Requests of the table of operations that are told apart by method, path and subresources alone. */
const documented = [...DOCUMENT.matchAll(/^\| [^|]+ \| `((?:GET|HEAD|PUT|POST|DELETE) \/[^`]*)` \|/gm)].map(
  ([, request]) => request as string,
)

/** A portal that agrees to everything and says nothing. */
const transfers = { api: { call: async () => ({ code: 0, msg: '', data: {} }) } }

async function isImplemented(request: string): Promise<boolean> {
  const [method = '', url = ''] = request.split(' ')
  const [path = '', query = ''] = url.split('?')
  const [, bucket, key] = path.split('/')
  const exchange = {
    method,
    target: {
      path,
      query: query
        .split('&')
        .filter(Boolean)
        .map((name) => [name, '1']),
    },
    headers: new Map(),
    address: { ...(bucket && { bucket }), ...(key && { key }) },
    signed: { region: 'us-east-1' },
    caller: { transfers },
  } as unknown as Exchange
  try {
    await route(exchange)
    return true
  } catch (error) {
    return !(error instanceof S3Error && ['NotImplemented', 'MethodNotAllowed'].includes(error.code))
  }
}

it('the table of operations in docs/S3.md names what the gateway implements, and nothing else', async () => {
  const asked = ['', ...SUBRESOURCES.map((name) => `?${name}`), '?partNumber&uploadId']
  const requests = ['/', '/bucket', '/bucket/key'].flatMap((path) =>
    ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'].flatMap((method) =>
      // HEAD of a bucket asks whether it exists, whatever else is in the query.
      asked
        .filter((query) => (path !== '/' && !(path === '/bucket' && method === 'HEAD')) || query === '')
        .map((query) => `${method} ${path}${query}`),
    ),
  )
  const implemented: string[] = []
  for (const request of requests) if (await isImplemented(request)) implemented.push(request)
  expect(documented.toSorted()).toEqual(implemented.toSorted())
})
