import { describe, expect, it } from 'vitest'
import { brokenImports } from './import-direction.mjs'

const broken = (path: string, source: string) => brokenImports(path, source).length

describe('the direction of imports', () => {
  it.each([
    ['packages/content/src/a.ts', "import { Cid } from '@tidenet/contract'"],
    ['packages/sdk/src/a.ts', "import { chunk } from '@tidenet/content'\nexport * from './b.ts'"],
    ['apps/server/src/a/b.ts', "import { serve } from '@tidenet/daemon'\nimport { c } from '../c.ts'"],
    ['apps/node/src/a.ts', "import { createReadStream } from 'node:fs'"],
    ['apps/web/src/a.tsx', "import React from 'react'\nconst Page = lazy(() => import('./page.tsx'))"],
    ['apps/web/src/a.ts', "import code from '../../../examples/a.mjs?raw'\nimport log from '../../../CHANGELOG.md'"],
    ['packages/content/src/disk.node.ts', "import { open } from 'node:fs/promises'"],
    ['packages/content/src/a.test.ts', "import { readFileSync } from 'node:fs'"],
    ['packages/content/src/a.ts', "// import { open } from 'node:fs'\n/* import 'node:fs' */"],
  ])('allows %s: %s', (path, source) => {
    expect(broken(path, source)).toBe(0)
  })

  it.each([
    ['packages/contract/src/a.ts', "import { chunk } from '@tidenet/content'"],
    ['packages/content/src/a.ts', "import type { Upload } from '@tidenet/storage'"],
    ['packages/daemon/src/a.ts', "export { chunk } from '@tidenet/content'"],
    ['apps/web/src/a.ts', "import { serve } from '@tidenet/daemon'"],
    ['packages/testnet/src/a.ts', "import { startServer } from '@tidenet/server'"],
    ['apps/cli/src/a.ts', "const node = await import('@tidenet/node')"],
    ['apps/server/src/a.ts', "import { x } from '../../node/src/x.ts'"],
    ['packages/sdk/src/a.ts', "import {\n  readFile,\n  writeFile,\n} from 'node:fs/promises'"],
    ['packages/sdk/src/a.ts', "import fs from 'fs'"],
    ['apps/web/src/a.ts', "import 'node:buffer'"],
    ['apps/web/src/a.ts', "import { run } from '../../../examples/a.mjs'"],
  ])('rejects %s: %s', (path, source) => {
    expect(broken(path, source)).toBe(1)
  })
})
