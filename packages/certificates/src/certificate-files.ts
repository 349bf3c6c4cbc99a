import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Clock, every, type Logger, StartError } from '@tidenet/daemon'
import { createCertificateIndex } from './sni.ts'
import { type Certificate, CertificateError, readCertificate } from './x509.ts'

export interface CertificateFiles {
  find(hostname: string): Certificate | undefined
  /** The current certificate, and what is wrong with the files if they were replaced by unusable ones. */
  state(): { certificate: Certificate; problem: string | undefined }
  /** Reads the files now. */
  reload(): Promise<void>
  stop(): Promise<void>
}

/** Changes that the system does not tell, such as on network file systems. */
const CHECK_MS = 60_000
/** Certificate and key are written one after the other. */
const SETTLE_MS = 200
const EXPIRES_SOON_MS = 7 * 24 * 3_600_000

/**
 * A certificate from the operator's own files, reloaded when they are replaced. While the new files are unusable, for example because only
 * one of them was replaced yet, the old certificate stays.
 * @throws StartError that says what is wrong with the files
 */
export async function openCertificateFiles(options: {
  /** Path of the certificate with those of its CA, PEM. */
  cert: string
  /** Path of its private key, PEM. */
  key: string
  clock: Clock
  log: Logger
}): Promise<CertificateFiles> {
  const { cert, key, clock, log } = options
  const index = createCertificateIndex()
  let certificate: Certificate
  let problem: string | undefined

  const read = async () => readCertificate(await readFile(cert, 'utf8'), await readFile(key, 'utf8'))
  const take = (found: Certificate) => {
    certificate = found
    index.set('files', found)
    const left = found.notAfter - clock.now()
    if (left < EXPIRES_SOON_MS)
      log.warn(
        { cert, notAfter: found.notAfter },
        left > 0 ? 'the certificate expires soon' : 'the certificate has expired',
      )
  }
  try {
    certificate = await read()
    take(certificate)
  } catch (error) {
    throw new StartError(`${explain(error, cert, key)} Files: ${cert} and ${key}.`, { permanent: true })
  }

  const reload = async () => {
    try {
      const found = await read()
      problem = undefined
      if (found.cert !== certificate.cert || found.key !== certificate.key) {
        take(found)
        log.info({ cert, notAfter: found.notAfter }, 'the certificate was reloaded')
      }
    } catch (error) {
      const text = explain(error, cert, key)
      if (text !== problem) log.warn({ cert, key }, `the certificate was not reloaded: ${text}`)
      problem = text
    }
  }
  const checks = every(CHECK_MS, reload, { name: 'certificate-files', log })
  let timer: NodeJS.Timeout | undefined
  const onChange = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void reload(), SETTLE_MS)
    timer.unref()
  }
  // Folders, because replaced files and links of Kubernetes have another inode afterwards.
  const watchers = [...new Set([dirname(cert), dirname(key)])].map((folder) => {
    const watcher = watch(folder, { persistent: false }, onChange)
    // Without it, changes are found by the checks.
    watcher.on('error', () => watcher.close())
    return watcher
  })
  return {
    find: index.find,
    state: () => ({ certificate, problem }),
    reload,
    async stop() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
      await checks.stop()
    },
  }
}

function explain(error: unknown, cert: string, key: string): string {
  if (error instanceof CertificateError) return error.message
  const { code, path } = error as NodeJS.ErrnoException
  const file = path === key ? key : cert
  if (code === 'ENOENT') return `There is no file ${file}.`
  if (code === 'EACCES') return `The file ${file} may not be read.`
  return `The file ${file} cannot be read (${code ?? String(error)}).`
}
