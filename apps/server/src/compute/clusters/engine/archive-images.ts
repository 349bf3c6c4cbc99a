import { createHash } from 'node:crypto'
import type Docker from 'dockerode'
import { ArchiveError } from '../archives/read-tar.ts'
import { ClusterError, type WorkloadSpec } from '../driver.ts'
import { ignoreNotFound } from './failures.ts'
import { pullImage } from './images.ts'

/** Images that customers bring as archives. Each belongs to one workload, by a name that no registry can have. */

const repositoryOf = (installation: string): string => `localhost/tidenet-archive-${installation}`

/** One for each workload and content, so that another workload's archive can never replace it. */
const nameOf = (installation: string, { id, image = '' }: Pick<WorkloadSpec, 'id' | 'image'>): string =>
  `${repositoryOf(installation)}:${id}-${createHash('sha256').update(image).digest('hex').slice(0, 16)}`

/** Pulls the image of a workload, or loads its archive. @returns its id. @throws ClusterError `image`, `archive` */
export async function obtainImage(
  docker: Docker,
  installation: string,
  spec: Pick<WorkloadSpec, 'id' | 'image' | 'archive' | 'login'>,
): Promise<string> {
  if (!spec.archive) return pullImage(docker, spec.image ?? '', { login: spec.login })
  const name = nameOf(installation, spec)
  const find = async () => (await docker.getImage(name).inspect().catch(ignoreNotFound))?.Id
  const present = await find()
  if (present) return present
  try {
    const archive = await spec.archive()
    try {
      const answer = (await docker.loadImage(archive.stream(name))) as unknown as AsyncIterable<Buffer>
      let text = ''
      for await (const part of answer) text = `${text}${part.toString()}`.slice(-4000)
      const problem = /"error":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
      const id = problem === undefined ? await find() : undefined
      if (!id) throw new ArchiveError('engine', (problem ?? '').slice(0, 200))
      return id
    } finally {
      await archive.close()
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw new ClusterError('archive', error.message, { cause: error })
    throw error
  }
}

/** Removes the archives of a workload, except the one of `kept`. Failures are ignored: images in use stay. */
export async function removeArchives(
  docker: Docker,
  installation: string,
  workload: string,
  kept?: Pick<WorkloadSpec, 'id' | 'image'>,
): Promise<void> {
  const prefix = `${repositoryOf(installation)}:${workload}-`
  const keep = kept && nameOf(installation, kept)
  const images = await docker
    .listImages({ filters: { reference: [`${repositoryOf(installation)}:*`] } })
    .catch(() => [])
  for (const tag of images.flatMap(({ RepoTags }) => RepoTags ?? []))
    if (tag.startsWith(prefix) && tag !== keep)
      await docker
        .getImage(tag)
        .remove()
        .catch(() => {})
}
