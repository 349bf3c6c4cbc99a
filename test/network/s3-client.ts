import { crc32 } from 'node:zlib'
import {
  CreateBucketCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import type { Network } from '@tidenet/testnet'
import { signUp, wireClient } from './wire-client.ts'

/** The SDK that people use, with an access key of a new account. */
export async function s3Account(network: Network, more: S3ClientConfig = {}) {
  const { token } = await signUp(network.url)
  const portal = wireClient(network.url, token)
  const { data } = await portal.post<Record<string, string>>('/api/v1/storage/create_key', { key_name: 's3' })
  const credentials = { accessKeyId: data.access_key_id ?? '', secretAccessKey: data.secret_access_key ?? '' }
  const clientOf = (other: S3ClientConfig = {}) =>
    new S3Client({
      endpoint: network.s3Url,
      region: 'us-east-1',
      credentials,
      forcePathStyle: true,
      maxAttempts: 1,
      ...more,
      ...other,
    })
  const client = clientOf()
  return {
    token,
    portal,
    credentials,
    client,
    clientOf,
    bucket: async (Bucket: string) => {
      await client.send(new CreateBucketCommand({ Bucket }))
      return {
        put: (Key: string, Body: PutObjectCommandInput['Body'], rest: Partial<PutObjectCommandInput> = {}) =>
          client.send(new PutObjectCommand({ Bucket, Key, Body, ...rest })),
        get: async (Key: string, rest: Partial<GetObjectCommandInput> = {}) => {
          const answer = await client.send(new GetObjectCommand({ Bucket, Key, ...rest }))
          return { ...answer, bytes: Buffer.from((await answer.Body?.transformToByteArray()) ?? []) }
        },
      }
    },
  }
}

/** Status and code of a refusal; `done` if there was none. */
export const refusal = (sent: Promise<unknown>) =>
  sent.then(
    () => 'done',
    (error: { name: string; $metadata?: { httpStatusCode?: number } }) =>
      `${error.$metadata?.httpStatusCode} ${error.name}`,
  )

/** The CRC32 of bytes, as S3 writes it. */
export const crcOf = (bytes: Buffer) =>
  Buffer.from(crc32(bytes).toString(16).padStart(8, '0'), 'hex').toString('base64')
