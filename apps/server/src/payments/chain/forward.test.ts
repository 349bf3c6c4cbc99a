import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import rateLimit from '@fastify/rate-limit'
import { createLogger } from '@tidenet/daemon'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import type { Config } from '../../config.ts'
import { NO_CHAIN } from './config.ts'
import { forwardChain } from './forward.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Something that answers in the place of a chain. */
async function standIn(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function portal(...rpc: string[]): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(rateLimit, { global: false })
  const context = { log: createLogger('test', 'silent'), config: { trustProxy: '' } as Config }
  await forwardChain(app, context, { ...NO_CHAIN, rpc })
  ends.push(() => void app.close())
  return app
}

describe('what is passed on', () => {
  it('is the question and nothing of who asks', async () => {
    let heard: IncomingMessage | undefined
    const app = await portal(
      await standIn((request, response) => {
        heard = request
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
    expect(heard?.url).toBe('/?a=b')
    for (const name of ['cookie', 'jwtauthorization', 'x-forwarded-for']) expect(heard?.headers[name]).toBeUndefined()
    expect(heard?.headers.host).not.toBe('portal.test')
  })

  it('goes to the next address when the first is away', async () => {
    const busy = await standIn((_, response) => response.writeHead(503).end())
    const there = await standIn((_, response) => response.end('{"result":2}'))
    const app = await portal('http://127.0.0.1:9', busy, there)
    expect((await app.inject('/chain/rpc/status')).json()).toEqual({ result: 2 })
  })
})

describe('refused are', () => {
  it('answers that lead elsewhere: nobody is sent on, and nothing is fetched there', async () => {
    let fetched = false
    const inside = await standIn((_, response) => {
      fetched = true
      response.end('secret')
    })
    const app = await portal(await standIn((_, response) => response.writeHead(302, { location: inside }).end()))
    const answer = await app.inject('/chain/rpc/status')
    expect(answer.statusCode).toBe(502)
    expect(answer.headers.location).toBeUndefined()
    expect(fetched).toBe(false)
  })

  it('answers without end', async () => {
    const app = await portal(
      await standIn((_, response) => {
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

  it('pages that somebody put in the place of an answer', async () => {
    const app = await portal(
      await standIn((_, response) => response.setHeader('content-type', 'text/html').end('<script>1</script>')),
    )
    expect((await app.inject('/chain/rpc/status')).headers['content-type']).toContain('application/json')
  })
})
