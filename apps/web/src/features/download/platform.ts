/** Systems for which there can be single executables. */
export const PLATFORMS = ['linux-x64', 'linux-arm64', 'windows-x64', 'macos-x64'] as const
export type Platform = (typeof PLATFORMS)[number]

export const isPlatform = (name: string): name is Platform => PLATFORMS.some((each) => each === name)

/** Phones and tablets, which have no executables. */
export const handheldOf = (agent: string): 'android' | 'ios' | undefined =>
  /Android/.test(agent) ? 'android' : /iPhone|iPad/.test(agent) ? 'ios' : undefined

/**
 * The system of a browser; undefined: none with executables, such as phones. Macs say that they have Intel processors even if they do not.
 * @param agent `navigator.userAgent`
 */
export function platformOf(agent: string): Platform | undefined {
  if (/Android|iPhone|iPad|Mobile|CrOS/.test(agent)) return undefined
  if (/Windows NT/.test(agent)) return 'windows-x64'
  if (/Macintosh/.test(agent)) return 'macos-x64'
  if (!/Linux/.test(agent)) return undefined
  if (/aarch64|arm64/i.test(agent)) return 'linux-arm64'
  return /x86_64|amd64/i.test(agent) ? 'linux-x64' : undefined
}
