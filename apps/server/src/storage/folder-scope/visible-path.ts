import type { Member } from '../../platform/http/callers.ts'

/** The part of a path, from the root, that the caller may see: from the first folder of its key on. */
export function visiblePath<T extends { ID: number }>({ folders }: Pick<Member, 'folders'>, path: readonly T[]): T[] {
  if (folders === null) return [...path]
  const first = path.findIndex(({ ID }) => folders.includes(ID))
  return first < 0 ? [] : path.slice(first)
}
