import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { samplePrograms } from '../../apps/server/src/compute/ingress/sample-programs.fixture.ts'
import { connectHttp2, type Held } from '../../apps/server/src/compute/ingress/visitor.fixture.ts'
import { createSigner } from '../../packages/certificates/src/test-certificates.fixture.ts'

/** HTTP/2: many requests of a visitor share a connection, and each is treated as one. */

let programs: Awaited<ReturnType<typeof samplePrograms>>
let name: string
let root: string
beforeAll(async () => {
  const signer = await createSigner()
  root = signer.root
  programs = await samplePrograms({ tls: await signer.issue(['*.apps.test']) })
})
afterAll(() => programs.close())

async function program(more: Parameters<typeof programs.program>[1] = {}) {
  const tenant = await programs.tenant()
  const { id, host } = await programs.program(tenant, more)
  await programs.publish(tenant, id)
  name = host.split(':')[0] as string
  return { tenant, id, host }
}
const connect = () => connectHttp2(programs.ingress.port, name, root)

describe('a request by HTTP/2', () => {
  it('reaches its program with the address of its visitor and the host that was asked for', async () => {
    const { host } = await program()
    const connection = await connect()
    const got = await connection.visit(host, '/a?b=1', { ':method': 'POST', 'x-forwarded-for': '203.0.113.9' }, 'hello')
    const { headers, ...rest } = JSON.parse(got.text)
    expect(rest).toMatchObject({ method: 'POST', url: '/a?b=1', body: 'hello' })
    expect(headers).toMatchObject({ host, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' })
    connection.close()
  })

  it('keeps its body together, also where HTTP/1.1 has none', async () => {
    const urls: string[] = []
    const { host } = await program({
      serve: async (request, response) => {
        urls.push(request.url ?? '')
        for await (const _ of request);
        response.end()
      },
    })
    const connection = await connect()
    const inner = 'GET /inner HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.9\r\n\r\n'
    await connection.visit(host, '/outer', { ':method': 'GET' }, inner).catch(() => {})
    await connection.visit(host, '/last')
    expect(urls).toEqual(['/outer', '/last'])
    connection.close()
  })

  it('ends with an error if its answer is not complete', async () => {
    const { host } = await program({
      serve: (_request, response) => {
        response.write('first')
        setImmediate(() => response.destroy())
      },
    })
    const connection = await connect()
    expect(await (await connection.hold(host)).end).toBe('cut')
    connection.close()
  })

  it('gets the head of an answer before there is anything else', async () => {
    const { host } = await program({ serve: (_request, response) => response.flushHeaders() })
    const connection = await connect()
    const sent = connection.session.request({ ':authority': host })
    expect(await new Promise((resolve) => sent.once('response', (head) => resolve(head[':status'])))).toBe(200)
    connection.close()
  })

  it('counts for its client, whichever connection it uses', async () => {
    const { host } = await program({ serve: (_request, response) => response.write('first') })
    const other = await program()
    const held: Held[] = []
    const connections = [await connect(), await connect(), await connect()]
    for (let at = 0; at < 256; at++) held.push(await (connections[at % 3] as (typeof connections)[0]).hold(host))
    expect((await connections[0]?.visit(other.host))?.status).toBe(503)
    held[0]?.close()
    await expect.poll(async () => (await connections[0]?.visit(other.host))?.status).toBe(200)
    for (const connection of connections) connection.close()
  })

  it('ends alone when its access ends, also beside those to the programs of others', async () => {
    const stream: RequestListener = (_request, response) => void response.write('first')
    const [place, other] = [await program({ serve: stream }), await program({ serve: stream })]
    const connection = await connect()
    const [mine, theirs] = [await connection.hold(place.host), await connection.hold(other.host)]
    await programs.publish(place.tenant, place.id, { access: 'account' })
    expect(await mine.end).toBe('cut')
    expect(theirs.hasEnded()).toBe(false)
    expect((await connection.visit(place.host)).status).toBe(401)
    connection.close()
  })
})
