/** The permissions that a normal API key can have; an admin key has all of them. */
export const PERMISSIONS = [
  'readFile',
  'createFile',
  'deleteFile',
  'readFolder',
  'createFolder',
  'deleteFolder',
  'readDevices',
] as const
export type Permission = (typeof PERMISSIONS)[number]
