import type { Permission } from '@tidenet/contract'
import { PERMISSIONS } from '@tidenet/contract/route'
import { formatList } from '../../lib/phrases.ts'
import { t } from './texts.ts'

const isPermission = (name: string): name is Permission => PERMISSIONS.some((each) => each === name)

/** A permission in words; one that this page does not know keeps its own name. */
export const permissionText = (name: string): string => (isPermission(name) ? t.page.permission[name] : name)

/** What a key may do and what not, each a sentence; no second one where nothing is left out. */
export function abilities({ type, perms }: { type: 'admin' | 'normal'; perms: readonly string[] }): string[] {
  if (type === 'admin') return [t.all]
  const rest = PERMISSIONS.filter((perm) => !perms.includes(perm))
  const known = PERMISSIONS.filter((perm) => perms.includes(perm))
  const may = [...known.map((perm) => t.does[perm]), ...perms.filter((perm) => !isPermission(perm))]
  return [
    t.may(formatList(may)),
    ...(rest.length > 0 ? [t.mayNot(formatEither(rest.map((perm) => t.short[perm])))] : []),
  ]
}

const formatEither = (names: readonly string[]) => formatList(names, 'disjunction')
