import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { openArchive } from '../clusters/archives/open-archive.ts'
import { ociArchive } from '../clusters/archives/sample-archives.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import type { ClusterDriver, WorkloadSpec } from '../clusters/driver.ts'
import { sampleEngine } from '../clusters/engine/sample-engine.fixture.ts'
import { sampleTenant, shrinkMachine, type Tenant } from './sample-tenant.fixture.ts'

/** For tests in real containers. No registry can be reached, so images are file systems of Debian packages. */

const IMAGE_MAX_BYTES = 1024 ** 3

/** A file system with the packages, as a tar archive; empty: it cannot be made here. */
export const treeOf = (packages: string): string =>
  spawnSync(process.execPath, ['tools/clusters/debian-tree.mjs', packages], { encoding: 'utf8' }).stdout.trim()

/**
 * An engine that has these images.
 * @param treeOfImage the archive of `treeOf`; undefined: the image stays
 * @param config of the images
 */
export function debianEngine(
  treeOfImage: (image: string) => string | undefined,
  config: Record<string, unknown>,
): { driver: ClusterDriver; close: () => Promise<string[]> } {
  const { driver: engine, close } = sampleEngine({ publish: '' })
  const folder = mkdtempSync(join(tmpdir(), 'tidenet-images-'))
  async function* archiveOf(tree: string) {
    yield await ociArchive({ layers: [readFileSync(tree)], config, gzip: false })
  }
  const substituted = (spec: WorkloadSpec): WorkloadSpec => {
    const tree = spec.image === undefined ? undefined : treeOfImage(spec.image)
    return tree === undefined ? spec : { ...spec, archive: () => openArchive(folder, archiveOf(tree), IMAGE_MAX_BYTES) }
  }
  return {
    driver: {
      ...engine,
      deploy: (workspace, spec) => engine.deploy(workspace, substituted(spec)),
      resize: (workspace, spec) => engine.resize(workspace, substituted(spec)),
    },
    close: () => {
      rmSync(folder, { recursive: true })
      return close()
    },
  }
}

/** A server with this cluster. */
export async function envWith(driver: ClusterDriver): Promise<TestEnv> {
  const env = await setup()
  env.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
  // The test folder may be in memory, with little room.
  env.context.config = { ...env.context.config, clusters: { ...env.context.config.clusters, overcommit: 100 } }
  return env
}

/** A tenant with room beside its machine. */
export async function ownerIn(env: TestEnv): Promise<Tenant> {
  const owner = await sampleTenant(env)
  await shrinkMachine(env, owner)
  return owner
}
