import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { placesOf } from './place.mjs'

/**
 * What an earlier run found stands as long as the fault, the file that it changes and its tests are the same.
 * @param {string} folder of the sources
 * @returns {string} a digest of them
 */
export function keyOf(fault, folder) {
  const hash = createHash('sha256').update(JSON.stringify(fault))
  for (const path of [...placesOf(fault, folder), ...fault.tests.map((test) => join(folder, test))])
    hash.update('\0').update(existsSync(path) ? readFileSync(path) : '')
  return hash.digest('hex')
}

/** The faults that were caught, in a file: `by name` gives the digest of {@link keyOf}. */
export function openKept(path) {
  const caught = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return {
    has: (name, key) => caught[name] === key,
    add(name, key) {
      caught[name] = key
      writeFileSync(path, `${JSON.stringify(caught, undefined, 1)}\n`)
    },
  }
}
