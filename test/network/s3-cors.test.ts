import { request } from 'node:http'
import { DeleteBucketCorsCommand, GetBucketCorsCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { s3Account } from './s3-client.ts'
import { startGateway } from './s3-gateway.ts'
import { formFields, presigned, signed } from './s3-raw-client.ts'
import { startNetwork } from './test-network.ts'

let network: Network
beforeAll(async () => {
  network = await startNetwork({ nodes: 2, s3: { port: 0 } })
})
afterAll(() => network?.stop())

const APP = 'https://app.example'
const OTHER = 'https://other.example'
const Bucket = 'photos'

async function account(rules?: Parameters<typeof rule>[0]) {
  const made = await s3Account(network)
  const { put } = await made.bucket(Bucket)
  await put('a', 'text')
  if (rules)
    await made.client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [rule(rules)] } }))
  return made
}
const rule = (more: object = {}) => ({
  AllowedOrigins: [APP],
  AllowedMethods: ['GET', 'PUT'],
  AllowedHeaders: ['x-amz-*'],
  ExposeHeaders: ['ETag'],
  MaxAgeSeconds: 30,
  ...more,
})

/** What a browser sends and compares; `fetch` of Node.js does neither. */
const send = (url: string, method: string, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      request(url, { method, headers }, (response) => {
        let body = ''
        response.on('data', (piece) => {
          body += piece
        })
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }))
      })
        .on('error', reject)
        .end()
    },
  )
const preflight = (url: string, origin: string, method = 'PUT', names = 'x-amz-date') =>
  send(url, 'OPTIONS', {
    origin,
    'access-control-request-method': method,
    ...(names && { 'access-control-request-headers': names }),
  })
const allow = 'access-control-allow-origin'

it('rules are kept as they were set, and are deleted', async () => {
  const { client } = await account({ AllowedOrigins: ['https://*.example', '*'], ID: 'all' })
  const { CORSRules } = await client.send(new GetBucketCorsCommand({ Bucket }))
  expect(CORSRules).toEqual([{ ...rule(), AllowedOrigins: ['https://*.example', '*'], ID: 'all' }])
  await client.send(new DeleteBucketCorsCommand({ Bucket }))
  await expect(client.send(new GetBucketCorsCommand({ Bucket }))).rejects.toMatchObject({
    name: 'NoSuchCORSConfiguration',
  })
})

it('a page of an allowed origin asks with a preflight and reads the answer; another one does neither', async () => {
  const { credentials } = await account({})
  const { host, origin } = new URL(network.s3Url)
  const url = (method: string, key = 'a') =>
    origin + presigned(credentials, { method, path: `/${Bucket}/${key}`, host })
  expect(await preflight(url('PUT'), APP)).toMatchObject({
    status: 200,
    headers: {
      [allow]: APP,
      'access-control-allow-methods': 'GET, PUT',
      'access-control-allow-headers': 'x-amz-date',
      'access-control-max-age': '30',
    },
  })
  for (const refused of [
    await preflight(url('PUT'), OTHER),
    await preflight(url('DELETE'), APP, 'DELETE'),
    await preflight(url('PUT'), APP, 'PUT', 'x-secret'),
  ]) {
    expect(refused).toMatchObject({ status: 403, body: expect.stringContaining('CORSForbidden') })
    expect(refused.headers[allow]).toBeUndefined()
  }
  const read = (from: string, key?: string) => send(url('GET', key), 'GET', { origin: from })
  expect(await read(APP)).toMatchObject({
    status: 200,
    body: 'text',
    headers: { [allow]: APP, 'access-control-expose-headers': 'ETag', vary: expect.stringContaining('Origin') },
  })
  // A page may read why it was refused.
  expect(await read(APP, 'missing')).toMatchObject({ status: 404, headers: { [allow]: APP } })
  const foreign = await read(OTHER)
  expect(foreign).toMatchObject({ status: 200, headers: { vary: 'Origin' } })
  expect(foreign.headers[allow]).toBeUndefined()
})

it('a presigned URL that was opened without an origin is cached for nobody else', async () => {
  const { credentials } = await account({})
  const { host, origin } = new URL(network.s3Url)
  const answer = await fetch(origin + presigned(credentials, { path: `/${Bucket}/a`, host }))
  expect(answer.headers.get('vary')).toBe('Origin')
  expect(answer.headers.get(allow)).toBeNull()
})

it('a form and a request with signed headers are judged by the rules of the account that signed', async () => {
  const { client, credentials } = await account({})
  const { host, origin } = new URL(network.s3Url)
  const { headers } = signed(credentials, { method: 'GET', path: `/${Bucket}/a`, headers: { host } })
  expect(await send(`${origin}/${Bucket}/a`, 'GET', { ...headers, origin: APP })).toMatchObject({
    headers: { [allow]: APP },
  })
  await client.send(
    new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [rule({ AllowedMethods: ['POST'] })] } }),
  )
  const fields = { key: 'form', ...formFields(credentials, [{ bucket: Bucket }, { key: 'form' }]) }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob(['text']))
  const sent = await fetch(`${origin}/${Bucket}`, { method: 'POST', body: form, headers: { origin: APP } })
  expect([sent.status, sent.headers.get(allow)]).toEqual([204, APP])
})

it('a preflight tells nothing about buckets: unknown keys, buckets without rules and missing ones get one answer', async () => {
  const { credentials } = await account()
  const { host, origin } = new URL(network.s3Url)
  const ask = (key: typeof credentials, bucket: string) =>
    preflight(origin + presigned(key, { method: 'PUT', path: `/${bucket}/a`, host }), APP)
  const answers = [
    await ask(credentials, Bucket),
    await ask(credentials, 'missing'),
    await ask({ ...credentials, accessKeyId: 'TNUNKNOWN000000000000' }, Bucket),
  ].map(({ status, body, headers }) => [status, headers[allow], body.replace(/<(Resource|RequestId)>.*?<\/\1>/g, '')])
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]?.[0]).toBe(403)
  // Without an access key nobody's bucket is meant: the answer is the same for all of them.
  for (const bucket of [Bucket, 'missing'])
    expect(await preflight(`${origin}/${bucket}/a`, OTHER)).toMatchObject({ status: 200, headers: { [allow]: OTHER } })
})

it('a gateway of one account judges preflights by its rules, also without an access key', async () => {
  const { credentials } = await account({})
  const gateway = await startGateway(network, { own: credentials })
  try {
    expect(await preflight(`${gateway.url}/${Bucket}/a`, APP)).toMatchObject({ status: 200, headers: { [allow]: APP } })
    expect(await preflight(`${gateway.url}/${Bucket}/a`, OTHER)).toMatchObject({ status: 403 })
    expect(await preflight(`${gateway.url}/missing/a`, APP)).toMatchObject({ status: 403 })
  } finally {
    await gateway.program.stop()
  }
})

it('refuses preflights that are none, or that would take long to judge', async () => {
  const url = `${network.s3Url}/${Bucket}/a`
  expect(await send(url, 'OPTIONS', {})).toMatchObject({ status: 400 })
  const many = Array.from({ length: 101 }, (_, index) => `x-${index}`).join(',')
  for (const refused of [
    await preflight(url, APP, 'PATCH'),
    await preflight(url, APP, 'PUT', many),
    await preflight(url, APP, 'PUT', 'x y'),
    await preflight(`${network.s3Url}/`, APP),
  ])
    expect(refused).toMatchObject({ status: 403 })
})
