import { createReadStream, existsSync, statSync } from 'node:fs'
import type Docker from 'dockerode'
import { ClusterError, type RegistryLogin } from '../driver.ts'
import { pullFailureOf } from '../pull-failures.ts'
import { NoAnswer, withTimeout } from './connection.ts'
import { isUnreachable } from './failures.ts'
import { busyboxRootfs } from './rootfs.ts'

const PULL_TIMEOUT_MS = 5 * 60_000
/** Shorter, because the default image is requested at every start: a machine without internet access must not delay it. */
const DEFAULT_PULL_TIMEOUT_MS = 60_000
const SOURCE = 'tidenet.source'

/** The image of workloads that name none. `name` tells where it comes from. */
export interface DefaultImage {
  id: string
  name: string
}

/**
 * Finds the default image: the archive of a root file system if one is configured; otherwise the named image, pulled if missing; otherwise
 * this machine's busybox.
 * @param mark a secret that identifies images that we imported; a label alone could be in any image
 * @throws Error with the reason
 */
export async function findDefaultImage(
  docker: Docker,
  { image, imageTar, mark }: { image: string; imageTar: string; mark: string },
): Promise<DefaultImage> {
  if (imageTar !== '') {
    if (!existsSync(imageTar)) throw new Error(`the archive of the image does not exist: ${imageTar}`)
    const { size, mtimeMs } = statSync(imageTar)
    const source = `${mark} ${imageTar} ${size} ${mtimeMs}`
    return { id: await importImage(docker, source, createReadStream(imageTar)), name: imageTar }
  }
  try {
    return {
      id: (await findImage(docker, image)) ?? (await pullImage(docker, image, { timeout: DEFAULT_PULL_TIMEOUT_MS })),
      name: image,
    }
  } catch (error) {
    const rootfs = busyboxRootfs()
    if (!rootfs) throw new Error(`the image ${image} cannot be pulled: ${(error as Error).message}`)
    return { id: await importImage(docker, `${mark} busybox`, rootfs), name: "this machine's busybox" }
  }
}

/** Mount points of the volumes that an image declares. */
export async function listImageVolumes(docker: Docker, image: string): Promise<string[]> {
  const { Config } = await docker.getImage(image).inspect()
  return Object.keys(Config.Volumes ?? {}).sort()
}

/**
 * Pulls an image even if it exists: a private image that another user of this engine has pulled must not become available to everyone.
 * @returns its id
 * @throws ClusterError with a `PullFailure`
 */
export async function pullImage(
  docker: Docker,
  reference: string,
  { timeout = PULL_TIMEOUT_MS, login }: { timeout?: number; login?: RegistryLogin | undefined } = {},
): Promise<string> {
  try {
    const stream = await withTimeout(
      timeout,
      docker.pull(
        reference,
        login ? { authconfig: { ...login, serveraddress: reference.split('/')[0] } } : {},
      ) as Promise<NodeJS.ReadableStream>,
    )
    await withTimeout(
      timeout,
      new Promise<void>((resolve, reject) => {
        docker.modem.followProgress(stream, (error, lines: { error?: string }[] | null) => {
          const message = error?.message ?? lines?.find((line) => line.error)?.error
          if (message) reject(new Error(message))
          else resolve()
        })
      }),
    )
  } catch (error) {
    // An unreachable engine is no failure of the image.
    if (isUnreachable(error as object)) throw error
    const failure = error instanceof NoAnswer ? 'slow' : pullFailureOf((error as Error).message)
    throw new ClusterError(failure, `The image ${reference} cannot be pulled: ${lastLine(error)}`, { cause: error })
  }
  const id = await findImage(docker, reference)
  if (!id) throw new ClusterError('image', `The image ${reference} cannot be pulled.`)
  return id
}

const lastLine = (error: unknown): string => (error as Error).message.trim().split('\n').at(-1)?.slice(0, 300) ?? ''

const findImage = async (docker: Docker, reference: string): Promise<string | undefined> => {
  try {
    return (await docker.getImage(reference).inspect()).Id
  } catch {
    return undefined
  }
}

/** Imports a root file system unless it exists. A label identifies it, because some engines drop the tag of an import. */
async function importImage(docker: Docker, source: string, archive: NodeJS.ReadableStream): Promise<string> {
  const label = `${SOURCE}=${source.replace(/[^\w./-]+/g, '_')}`
  const [present] = await docker.listImages({ filters: { label: [label] } })
  if (present) {
    ;(archive as { destroy?(): void }).destroy?.()
    return present.Id
  }
  const options = { repo: 'localhost/tidenet', changes: [`LABEL ${label}`] }
  // The types of dockerode only have the variant with a callback.
  const stream = (await docker.importImage(archive, options)) as unknown as AsyncIterable<Buffer>
  let text = ''
  for await (const chunk of stream) text += chunk.toString()
  const last = JSON.parse(text.trim().split('\n').at(-1) ?? '{}') as { id?: string; status?: string; error?: string }
  const id = last.id ?? last.status
  if (!id?.startsWith('sha256:')) throw new Error(`the image could not be imported: ${last.error ?? text.slice(-300)}`)
  return id
}
