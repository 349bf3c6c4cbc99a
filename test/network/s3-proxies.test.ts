import { HeadBucketCommand } from '@aws-sdk/client-s3'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { s3Account } from './s3-client.ts'
import { startGateway } from './s3-gateway.ts'
import { presigned } from './s3-raw-client.ts'
import { startNetwork } from './test-network.ts'

let network: Network
beforeAll(async () => {
  network = await startNetwork({ nodes: 1, s3: { port: 0 } })
})
afterAll(() => network?.stop())

const CLIENT = '198.51.100.7'

/** An access key that works from one address only. */
async function limitedKey() {
  const { client, bucket, portal } = await s3Account(network)
  await bucket('photos')
  await client.send(new HeadBucketCommand({ Bucket: 'photos' }))
  const { data } = await portal.post<Record<string, string>>('/api/v1/storage/create_key', {
    key_name: 'limited',
    ips: [CLIENT],
  })
  return { accessKeyId: data.access_key_id ?? '', secretAccessKey: data.secret_access_key ?? '' }
}

it('a key that is limited to an address works behind a proxy that the operator trusts, and the client cannot claim it', async () => {
  const key = await limitedKey()
  const [trusting, other] = [
    await startGateway(network, { env: { TIDENET_S3_TRUSTED_PROXIES: '127.0.0.0/8, ::1' } }),
    await startGateway(network, { env: { TIDENET_S3_TRUSTED_PROXIES: '192.0.2.1' } }),
  ]
  const status = async ({ port }: { port: number }, forwarded: string) => {
    const host = `127.0.0.1:${port}`
    const target = presigned(key, { method: 'HEAD', path: '/photos', host })
    return (await fetch(`http://${host}${target}`, { method: 'HEAD', headers: { 'x-forwarded-for': forwarded } }))
      .status
  }
  try {
    expect(await status(trusting, CLIENT)).toBe(200)
    // What the client sent to the proxy stands in front of what the proxy saw.
    expect(await status(trusting, `${CLIENT}, 203.0.113.9`)).toBe(403)
    expect(await status(other, CLIENT)).toBe(403)
  } finally {
    await Promise.all([trusting.program.stop(), other.program.stop()])
  }
})
