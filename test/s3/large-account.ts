import type { Network } from '@tidenet/testnet'
import pg from 'pg'
import { s3Account } from '../network/s3-client.ts'

/** A new account with an S3 access key and more storage than clients in a test use. */
export async function largeAccount(network: Network) {
  const account = await s3Account(network)
  const database = new pg.Client({ connectionString: network.databaseUrl })
  await database.connect()
  await database.query('update users set vip = true')
  await database.end()
  return account
}
