import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import rateLimit from '@fastify/rate-limit'
import { createLogger } from '@tidenet/daemon'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import type { Config } from '../../config.ts'
import { NO_CHAIN } from './config.ts'
import { forwardChain } from './forward.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/** A fake chain. */
async function fakeChain(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function portal(...rpc: string[]): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(rateLimit, { global: false })
  const context = { log: createLogger('test', 'silent'), config: { trustProxy: '' } as Config }
  await forwardChain(app, context, { ...NO_CHAIN, rpc })
  cleanups.push(() => void app.close())
  return app
}

describe('forwarding', () => {
  it('sends the request without headers of the caller', async () => {
    let received: IncomingMessage | undefined
    const app = await portal(
      await fakeChain((request, response) => {
        received = request
        response.end('{"result":1}')
      }),
    )
    const answer = await app.inject({
      method: 'POST',
      url: '/chain/rpc/?a=b',
      headers: {
        cookie: 'login-token=1',
        jwtauthorization: 'Bearer x',
        'x-forwarded-for': '10.0.0.1',
        host: 'portal.test',
      },
      payload: '{}',
    })
    expect(answer.json()).toEqual({ result: 1 })
    expect(received?.url).toBe('/?a=b')
    for (const name of ['cookie', 'jwtauthorization', 'x-forwarded-for'])
      expect(received?.headers[name]).toBeUndefined()
    expect(received?.headers.host).not.toBe('portal.test')
  })

  it('uses the next URL if one is unavailable', async () => {
    const busy = await fakeChain((_, response) => response.writeHead(503).end())
    const working = await fakeChain((_, response) => response.end('{"result":2}'))
    const app = await portal('http://127.0.0.1:9', busy, working)
    expect((await app.inject('/chain/rpc/status')).json()).toEqual({ result: 2 })
  })
})

describe('rejects', () => {
  it('redirects, without following or returning them', async () => {
    let fetched = false
    const inside = await fakeChain((_, response) => {
      fetched = true
      response.end('secret')
    })
    const app = await portal(await fakeChain((_, response) => response.writeHead(302, { location: inside }).end()))
    const answer = await app.inject('/chain/rpc/status')
    expect(answer.statusCode).toBe(502)
    expect(answer.headers.location).toBeUndefined()
    expect(fetched).toBe(false)
  })

  it('endless responses', async () => {
    const app = await portal(
      await fakeChain((_, response) => {
        const chunk = Buffer.alloc(1024 * 1024, 'x')
        const more = () => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      }),
    )
    expect((await app.inject('/chain/rpc/status')).statusCode).toBe(502)
  })

  it('HTML: responses are always JSON', async () => {
    const app = await portal(
      await fakeChain((_, response) => response.setHeader('content-type', 'text/html').end('<script>1</script>')),
    )
    expect((await app.inject('/chain/rpc/status')).headers['content-type']).toContain('application/json')
  })
})
