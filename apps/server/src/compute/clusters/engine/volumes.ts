import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Which numbered part of a workload's disk belongs to which volume of its image, from 1; part 0 is `/data`. An image that declares another
 * volume must not get the files of the others.
 */

const file = (own: string) => join(own, 'volumes.json')

/** Gives each volume the part that it had, and new ones those that were never used. @param known by part, without part 0 */
export const assignVolumes = (known: readonly string[], volumes: readonly string[]): string[] => [
  ...known,
  ...volumes.filter((path) => !known.includes(path)),
]

/** Reads what belongs to a workload, notes what is new, and returns all of it. @param own its folder on this machine, outside of what it sees */
export function noteVolumes(own: string, volumes: readonly string[]): string[] {
  // A damaged note is an error: a guess could mix up the folders.
  const known = existsSync(file(own)) ? (JSON.parse(readFileSync(file(own), 'utf8')) as string[]) : []
  const all = assignVolumes(known, volumes)
  if (all.length > known.length) {
    writeFileSync(`${file(own)}.new`, JSON.stringify(all))
    renameSync(`${file(own)}.new`, file(own))
  }
  return all
}
