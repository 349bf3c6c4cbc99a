import { createReadStream, existsSync, statSync } from 'node:fs'
import type Docker from 'dockerode'
import { ClusterError } from '../driver.ts'
import { isAway } from './failures.ts'
import { within } from './greet.ts'
import { busyboxRootfs } from './rootfs.ts'

const PULL_WITHIN = 5 * 60_000
/** A machine without a way out is found out sooner: the cluster's own image is asked for at every start. */
const OWN_PULL_WITHIN = 60_000
const SOURCE = 'tidenet.source'

/** The image that workloads get which name none, and how it was come by. */
export interface OwnImage {
  id: string
  name: string
}

/**
 * Finds the cluster's own image: the named one, pulled when missing; or else a tar archive of a root file system; or else this machine's
 * busybox.
 * @param mark a secret by which imported images are known again: labels are in everybody's images
 * @throws Error with what was tried
 */
export async function ownImage(
  docker: Docker,
  { image, imageTar, mark }: { image: string; imageTar: string; mark: string },
): Promise<OwnImage> {
  if (imageTar !== '') {
    if (!existsSync(imageTar)) throw new Error(`the image's archive is not there: ${imageTar}`)
    const { size, mtimeMs } = statSync(imageTar)
    const source = `${mark} ${imageTar} ${size} ${mtimeMs}`
    return { id: await imported(docker, source, createReadStream(imageTar)), name: imageTar }
  }
  try {
    return { id: (await inspect(docker, image)) ?? (await pulled(docker, image, OWN_PULL_WITHIN)), name: image }
  } catch (error) {
    const rootfs = busyboxRootfs()
    if (!rootfs) throw new Error(`the image ${image} cannot be had: ${(error as Error).message}`)
    return { id: await imported(docker, `${mark} busybox`, rootfs), name: "this machine's busybox" }
  }
}

/** Folders that an image wants kept on a disk of their own. */
export async function volumesOf(docker: Docker, image: string): Promise<string[]> {
  const { Config } = await docker.getImage(image).inspect()
  return Object.keys(Config.Volumes ?? {}).sort()
}

/**
 * The id of an image, pulled also when it is there: what others keep on the same engine, or were let have by a registry, is not for
 * everybody.
 * @throws ClusterError `image`
 */
export async function pulled(docker: Docker, reference: string, time = PULL_WITHIN): Promise<string> {
  try {
    const stream = await within(time, docker.pull(reference) as Promise<NodeJS.ReadableStream>)
    await within(
      time,
      new Promise<void>((resolve, reject) => {
        docker.modem.followProgress(stream, (error, lines: { error?: string }[] | null) => {
          const complaint = error?.message ?? lines?.find((line) => line.error)?.error
          if (complaint) reject(new Error(complaint))
          else resolve()
        })
      }),
    )
  } catch (error) {
    // That the engine went away says nothing of the image.
    if (isAway(error as object)) throw error
    throw new ClusterError('image', `The image ${reference} cannot be had: ${short(error)}`, { cause: error })
  }
  const id = await inspect(docker, reference)
  if (!id) throw new ClusterError('image', `The image ${reference} cannot be had.`)
  return id
}

const short = (error: unknown): string => (error as Error).message.trim().split('\n').at(-1)?.slice(0, 300) ?? ''

const inspect = async (docker: Docker, reference: string): Promise<string | undefined> => {
  try {
    return (await docker.getImage(reference).inspect()).Id
  } catch {
    return undefined
  }
}

/** Imports a root file system unless it was before. Not every engine keeps the tag of what it imports, so a label says what it is. */
async function imported(docker: Docker, source: string, archive: NodeJS.ReadableStream): Promise<string> {
  const label = `${SOURCE}=${source.replace(/[^\w./-]+/g, '_')}`
  const [present] = await docker.listImages({ filters: { label: [label] } })
  if (present) {
    ;(archive as { destroy?(): void }).destroy?.()
    return present.Id
  }
  const asked = { repo: 'localhost/tidenet', changes: [`LABEL ${label}`] }
  // Its types know the call with a callback alone.
  const stream = (await docker.importImage(archive, asked)) as unknown as AsyncIterable<Buffer>
  let text = ''
  for await (const chunk of stream) text += chunk.toString()
  const last = JSON.parse(text.trim().split('\n').at(-1) ?? '{}') as { id?: string; status?: string; error?: string }
  const id = last.id ?? last.status
  if (!id?.startsWith('sha256:')) throw new Error(`the image was not taken: ${last.error ?? text.slice(-300)}`)
  return id
}
