import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PutBucketCorsCommand } from '@aws-sdk/client-s3'
import { type Browser, chromium } from '@playwright/test'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { s3Account } from '../network/s3-client.ts'
import { presigned, signed } from '../network/s3-raw-client.ts'
import { startNetwork } from '../network/test-network.ts'

/** Pages of two origins in a browser, which decides itself what it asks before and what a page may read. */
let network: Network
let browser: Browser
let pages: Server
beforeAll(async () => {
  network = await startNetwork({ nodes: 2, s3: { port: 0 } })
  const executablePath = process.env.TIDENET_CHROMIUM ?? '/usr/bin/chromium-headless-shell'
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  pages = createServer((_, response) => void response.setHeader('content-type', 'text/html').end('<title>app</title>'))
  await new Promise<void>((resolve) => void pages.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await browser?.close()
  pages?.close()
  await network?.stop()
})

interface Request {
  url: string
  method: string
  headers?: Record<string, string>
  body?: string
}

it('pages of the origins that the rules of a bucket name write and read objects; those of others read nothing', async () => {
  const { client, bucket, credentials } = await s3Account(network)
  const { get } = await bucket('photos')
  const { port } = pages.address() as AddressInfo
  const [app, other] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
  const rule = { AllowedOrigins: [app], AllowedMethods: ['GET', 'PUT'], AllowedHeaders: ['*'], ExposeHeaders: ['ETag'] }
  await client.send(new PutBucketCorsCommand({ Bucket: 'photos', CORSConfiguration: { CORSRules: [rule] } }))
  /** What a page learns: the status, an exposed header and the body; or that the browser told it nothing. */
  const from = async (origin: string, request: Request) => {
    const page = await browser.newPage()
    try {
      await page.goto(origin)
      return await page.evaluate(async ({ url, ...init }) => {
        try {
          const answer = await fetch(url, init)
          return [answer.status, answer.headers.get('etag') !== null, await answer.text()]
        } catch {
          return 'nothing'
        }
      }, request)
    } finally {
      await page.close()
    }
  }
  const gateway = new URL(network.s3Url)
  const { host } = gateway
  const target = (method: string) => gateway.origin + presigned(credentials, { method, path: '/photos/a', host })
  const headers = { 'content-type': 'text/x-tide' }
  const write = (body: string) => ({ url: target('PUT'), method: 'PUT', headers, body })
  const read = { url: target('GET'), method: 'GET' }
  expect(await from(app, write('sand'))).toEqual([200, true, ''])
  expect(await from(app, read)).toEqual([200, true, 'sand'])
  // The preflight of a presigned URL is refused, so the write is never sent.
  expect(await from(other, write('stolen'))).toBe('nothing')
  expect(await from(other, read)).toBe('nothing')
  expect((await get('a')).bytes.toString()).toBe('sand')

  // A page that has a key itself signs headers: its preflight names no account, its answer is judged by the rules.
  const { headers: own } = signed(credentials, { method: 'GET', path: '/photos/a', headers: { host } })
  const { host: _, ...sent } = own
  const signedRead = { url: `${gateway.origin}/photos/a`, method: 'GET', headers: sent }
  expect(await from(app, signedRead)).toEqual([200, true, 'sand'])
  expect(await from(other, signedRead)).toBe('nothing')
})
