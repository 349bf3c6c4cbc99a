import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const READ = /\b\w+\(['"]((?:\.\.?\/)+package\.json)['"]\)/g

/** Plugin: packages that read their own package.json while they start get name and version from the bundle, which has no files beside it. */
export const ownManifests = {
  name: 'own manifests',
  transform(code, id) {
    if (!id.includes('node_modules')) return null
    let isFound = false
    const changed = code.replace(READ, (_, path) => {
      isFound = true
      const { name, version } = JSON.parse(readFileSync(join(dirname(id), path), 'utf8'))
      return JSON.stringify({ name, version })
    })
    return isFound ? changed.replace('createRequire(import.meta.url)', 'undefined') : null
  },
}
