import type { Earned, Hindrance, NodeHour } from './node-hour.ts'
import * as v1 from './v1.ts'

interface Version {
  version: number
  /** The first hour that it applies to, unix seconds. */
  from: number
  earningsOf(node: NodeHour): Earned
  hindranceOf(node: NodeHour): Hindrance | null
}

/** All versions of the formula, oldest first. A new one starts in the future: hours of the past keep theirs. */
export const EARNING_VERSIONS: readonly Version[] = [{ version: 1, from: 0, ...v1 }]

/** The version that applies to an hour. @param hour when it begins, unix seconds */
export function versionOfHour(hour: number, versions: readonly Version[] = EARNING_VERSIONS): Version {
  const version = versions.findLast(({ from }) => from <= hour)
  if (!version) throw new Error(`no version of the formula applies to ${hour}`)
  return version
}

/** What a device earned in an hour, with the version that applies to it. */
export function earningsOf(node: NodeHour): Earned & { version: number; hindrance: Hindrance | null } {
  const { version, earningsOf: earned, hindranceOf } = versionOfHour(node.hour)
  return { version, ...earned(node), hindrance: hindranceOf(node) }
}
