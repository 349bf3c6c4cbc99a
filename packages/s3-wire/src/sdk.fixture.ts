import { Agent } from 'node:http'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { startGateway } from './gateway.fixture.ts'
import { EXAMPLE } from './s3.fixture.ts'

/** The SDK for JavaScript, connected to a gateway that records what it sends. */
export async function startSdk() {
  const gateway = await startGateway(EXAMPLE.secretAccessKey)
  const clients: S3Client[] = []
  const clientOf = (more: S3ClientConfig = {}) => {
    const client = new S3Client({
      endpoint: `http://localhost:${gateway.port}`,
      region: 'eu-1',
      credentials: EXAMPLE,
      forcePathStyle: true,
      maxAttempts: 1,
      // Names of buckets below localhost do not resolve everywhere.
      requestHandler: {
        httpAgent: new Agent({ lookup: (_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) }),
      },
      ...more,
    })
    clients.push(client)
    return client
  }
  return {
    ...gateway,
    client: clientOf(),
    clientOf,
    async close() {
      for (const client of clients) client.destroy()
      await gateway.close()
    },
  }
}
