import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManifest, sumsOf } from '../../tools/executables/manifest.mjs'
import { signBytes } from '../../tools/executables/release-key.mjs'

const PLATFORMS = ['linux-x64', 'linux-arm64', 'windows-x64', 'macos-x64'] as const

/**
 * A release folder like that of `npm run executables`, which takes minutes: small files with a manifest, checksums and signatures.
 * @returns the folder
 */
export function writeSampleExecutables(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const files = PLATFORMS.flatMap((platform) =>
    ['tidenet-node', 'tidenet'].map((program) => {
      const file = `${program}-${platform}${platform.startsWith('windows') ? '.exe' : ''}`
      const bytes = Buffer.from(`${file}\n`.repeat(100))
      writeFileSync(join(folder, file), bytes)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const trial = platform.startsWith('macos') ? 'file' : platform === 'linux-x64' ? 'native' : 'emulated'
      return { file, program, platform, trial, size: bytes.length, sha256 }
    }),
  )
  const manifest = createManifest({ version: '0.1.0', time: Date.now(), percent: 100, files })
  const sums = sumsOf(files)
  writeFileSync(join(folder, 'manifest.json'), manifest)
  writeFileSync(join(folder, 'manifest.sig'), `${signBytes(Buffer.from(manifest), privateKey)}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums)
  writeFileSync(join(folder, 'SHA256SUMS.sig'), Buffer.from(signBytes(Buffer.from(sums), privateKey), 'base64url'))
  writeFileSync(join(folder, 'release-key.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
  return folder
}
