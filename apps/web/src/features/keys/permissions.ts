import type { Permission } from '@tidenet/contract'
import { PERMISSIONS } from '@tidenet/contract/route'
import { formatList } from '../../lib/phrases.ts'
import { t } from './texts.ts'

const isPermission = (name: string): name is Permission => PERMISSIONS.some((each) => each === name)

/** The label of a permission; an unknown one is shown by its name. */
export const permissionText = (name: string): string => (isPermission(name) ? t.page.permission[name] : name)

/** One sentence for what a key may do and, unless it may do everything, one for what it may not. */
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
