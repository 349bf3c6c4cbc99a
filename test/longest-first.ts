import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** Files that take 9 s or more although they are small; vitest starts large files first. */
const LONG = [
  'test/network/chain-client.test.ts',
  'test/examples/examples.test.ts',
  'test/network/imports-cid.test.ts',
  'test/network/imports.test.ts',
  'test/network/sdk-failures.test.ts',
  'test/network/reliability.test.ts',
  'test/network/cli-imports.test.ts',
  'test/network/blocked-contents.test.ts',
  'test/network/signed-traffic.test.ts',
  'apps/server/src/storage/objects/groups.routes.test.ts',
  'test/attacks/folder-keys.test.ts',
  'test/attacks/certificate-queue.test.ts',
  'tools/test/browser-suites.test.ts',
]

/** Starts long files before others, so that none of them runs alone at the end of its stage. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = (file: TestSpecification) => (LONG.some((path) => file.moduleId.endsWith(`/${path}`)) ? 0 : 1)
    const sorted = await super.sort(files)
    // Files of one project stay together: another project needs new workers.
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => rest(a) - rest(b)),
    )
  }
}
