import { readHeaders, readTarget } from '@tidenet/s3-wire'
import { expect, it } from 'vitest'
import { createCors } from './cors.ts'

const origin = 'https://app.example'
const rule = { allowedOrigins: [origin], allowedMethods: ['GET'], allowedHeaders: [], exposeHeaders: [] }

function setup() {
  let at = 0
  let lookups = 0
  const find = async () => {
    lookups += 1
    return [rule]
  }
  const cors = createCors(find, () => at)
  const headers = readHeaders(['Origin', origin, 'Access-Control-Request-Method', 'GET'])
  const target = readTarget('/?X-Amz-Credential=TN1%2Fx')
  return {
    preflight: (bucket: string, ip: string) => cors.preflight({ target, headers, bucket, ip }),
    readable: (bucket: string, ip: string) =>
      cors.headersFor({ origin, method: 'GET', bucket, accessKeyId: 'TN1', ip }),
    lookups: () => lookups,
    wait: (ms: number) => {
      at += ms
    },
  }
}
const allow = 'access-control-allow-origin'

it('rules are looked up again after some seconds', async () => {
  const { preflight, lookups, wait } = setup()
  for (let n = 0; n < 10; n++) expect((await preflight('photos', '192.0.2.1'))[allow]).toBe(origin)
  expect(lookups()).toBe(1)
  wait(6000)
  await preflight('photos', '192.0.2.1')
  expect(lookups()).toBe(2)
})

it('one address cannot make the gateway ask without end; others still get answers', async () => {
  const { preflight, readable, lookups, wait } = setup()
  const refused: unknown[] = []
  for (let n = 0; n < 1000; n++) await preflight(`b${n}`, '192.0.2.1').catch((error) => refused.push(error))
  expect(lookups()).toBeLessThan(500)
  expect(refused[0]).toMatchObject({ code: 'SlowDown' })
  expect(await readable('another', '192.0.2.1')).toEqual({})
  // What is known costs nothing.
  expect((await preflight('b1', '192.0.2.1'))[allow]).toBe(origin)
  expect((await readable('another', '192.0.2.2'))[allow]).toBe(origin)
  wait(60_000)
  expect((await preflight('b999', '192.0.2.1'))[allow]).toBe(origin)
})

it('the addresses of one IPv6 network are one', async () => {
  const { preflight, lookups } = setup()
  for (let n = 0; n < 1000; n++) await preflight(`b${n}`, `2001:db8::${n.toString(16)}`).catch(() => {})
  expect(lookups()).toBeLessThan(500)
})

it('a stranger cannot take the place of another bucket, whatever names he sends', async () => {
  const cors = createCors(
    async (bucket, id) => (id === 'TN1' && bucket === 'my photos' ? [rule] : 'unknown account'),
    () => 0,
  )
  const readable = (accessKeyId: string, bucket: string) =>
    cors.headersFor({ origin, method: 'GET', bucket, accessKeyId, ip: '192.0.2.1' })
  for (const [id, bucket] of [
    ['TN1 my', 'photos'],
    ['TN1', ' my photos'],
  ] as const)
    expect(await readable(id, bucket)).toEqual({})
  expect((await readable('TN1', 'my photos'))[allow]).toBe(origin)
})
