import { readFile } from 'node:fs/promises'
import { type CertificateStore, createSealedStore } from '@tidenet/certificates'
import { StartError } from '@tidenet/daemon'
import type { Context } from '../context.ts'
import { databaseStore } from './store-repository.ts'

/**
 * What servers share about certificates by ACME. The ingress and the certificates of nodes have it together: with the same CA, they have
 * one account and one ledger, because the CA counts them together as well.
 */
export const certificateStore = ({ db, keys }: Pick<Context, 'db' | 'keys'>): CertificateStore =>
  createSealedStore(databaseStore(db), Buffer.from(keys.certificates))

/** Certificates that a CA's own server is trusted by, PEM; undefined: none beside those of Node.js. @throws StartError */
export async function readRoots(variable: string, path: string): Promise<string | undefined> {
  if (path === '') return undefined
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new StartError(`${variable}=${path} cannot be read: ${(error as Error).message}`)
  }
}
