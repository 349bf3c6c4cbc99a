import { AppError, PERMISSIONS, type Permission } from '@tidenet/contract'

/** The portal's names of permissions, where they differ. */
const ALIASES: Readonly<Record<string, Permission>> = {
  uploadfile: 'createFile',
  accessfolder: 'readFolder',
}

/**
 * Accepts names of the API (`createFile`) and of the portal (`upload file`), in any case.
 * @returns without duplicates, in the contract's order
 * @throws AppError keyPermissions if the list is empty, permissionUnknown
 */
export function readPermissions(words: readonly string[]): Permission[] {
  const wanted = new Set(words.map(readPermission))
  if (wanted.size === 0) throw new AppError('keyPermissions')
  return PERMISSIONS.filter((permission) => wanted.has(permission))
}

function readPermission(word: string): Permission {
  const plain = word.toLowerCase().replace(/[\s_-]/g, '')
  const known =
    PERMISSIONS.find((permission) => permission.toLowerCase() === plain) ??
    (Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined)
  if (!known)
    throw new AppError('permissionUnknown', { name: [...word].slice(0, 40).join(''), known: PERMISSIONS.join(', ') })
  return known
}
