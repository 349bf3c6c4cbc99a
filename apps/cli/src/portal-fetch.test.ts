import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { portalFetch } from './portal-fetch.ts'
import { VERSION } from './version.ts'

let server: Server
let url: string
let drops = 0

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', method, headers } = request
      if (path === '/moved') return response.writeHead(307, { location: '/call' }).end()
      if (path === '/cut' && drops++ === 0) return request.socket.destroy()
      if (path === '/half')
        return response.writeHead(200, { 'content-length': 10 }).write('half', () => request.socket.destroy())
      if (path === '/refused') return response.writeHead(503, { 'retry-after': '7' }).end('{}')
      const { lang, 'user-agent': agent } = headers
      const text = JSON.stringify({ method, path, body: Buffer.concat(chunks).toString(), lang, agent })
      response.setHeader('content-type', 'application/json')
      if (path === '/packed') return response.setHeader('content-encoding', 'gzip').end(gzipSync(text))
      return response.end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const post = (path: string, body = '{"é":1}') =>
  portalFetch(url + path, { method: 'POST', headers: { lang: 'en', 'content-type': 'application/json' }, body })

describe('a call of the portal', () => {
  it.each(['/call', '/packed', '/moved'])('brings its body and headers, and the whole answer: %s', async (path) => {
    const answer = await post(path)
    expect(answer.ok).toBe(true)
    expect(answer.headers.get('Content-Type')).toMatch(/json/)
    expect(JSON.parse(await answer.text())).toMatchObject({
      method: 'POST',
      body: '{"é":1}',
      lang: 'en',
      agent: `tidenet-cli/${VERSION}`,
    })
  })

  it('has the status and headers of a refusal, and files as they are', async () => {
    const refused = await post('/refused')
    expect([refused.ok, refused.status, refused.headers.get('retry-after')]).toEqual([false, 503, '7'])
    expect(refused.headers.get('new-token')).toBe(null)
    const file = await (await portalFetch(`${url}/file`)).blob()
    expect([file.type, JSON.parse(await file.text()).method]).toEqual(['application/json', 'GET'])
  })

  it('is made again if the idle connection it used was closed', async () => {
    drops = 1
    await (await post('/call')).text()
    drops = 0
    expect(JSON.parse(await (await post('/cut')).text()).path).toBe('/cut')
  })

  it('fails if it is refused, broken off or aborted', async () => {
    await expect(portalFetch('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const half = await portalFetch(`${url}/half`)
    await expect(half.text()).rejects.toThrow()
    await expect(portalFetch(`${url}/call`, { signal: AbortSignal.abort() })).rejects.toThrow()
  })
})
