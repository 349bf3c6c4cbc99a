import { AppError, PERMISSIONS, type Permission } from '@tidenet/contract'

/** What the portal calls the permissions, beside their wire names. */
const OTHER_WORDS: Readonly<Record<string, Permission>> = {
  uploadfile: 'createFile',
  accessfolder: 'readFolder',
}

/**
 * Reads permissions by wire name (`createFile`) or by the portal's words (`upload file`), in any case.
 * @returns each once, in the contract's order
 * @throws AppError keyPermissions when there is none, permissionUnknown for one that does not exist
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
    (Object.hasOwn(OTHER_WORDS, plain) ? OTHER_WORDS[plain] : undefined)
  if (!known)
    throw new AppError('permissionUnknown', { name: [...word].slice(0, 40).join(''), known: PERMISSIONS.join(', ') })
  return known
}
