import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { requireIntegrity } from './fetch-package.mjs'
import { createReleaseKey, isSigned, publicText, readReleaseKey, signBytes } from './release-key.mjs'
import { hostPlatform, PLATFORMS, POSTJECT } from './runtimes.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)

describe('a release key', () => {
  it('is readable only by its owner, and signs what its public half confirms', () => {
    const text = createReleaseKey(at('keys/release.key'))
    expect(statSync(at('keys/release.key')).mode & 0o777).toBe(0o600)
    const key = readReleaseKey(at('keys/release.key'))
    expect(publicText(key)).toBe(text)
    const bytes = Buffer.from('the manifest')
    expect(isSigned(bytes, signBytes(bytes, key), [text])).toBe(true)
    expect(signBytes(bytes, key)).toBe(signBytes(bytes, key))
  })

  it('does not confirm other bytes, signatures of other keys, or garbage', () => {
    const text = createReleaseKey(at('release.key'))
    const other = createReleaseKey(at('other.key'))
    const bytes = Buffer.from('the manifest')
    const signature = signBytes(bytes, readReleaseKey(at('release.key')))
    expect(isSigned(Buffer.from('another manifest'), signature, [text])).toBe(false)
    expect(isSigned(bytes, signature, [other])).toBe(false)
    expect(isSigned(bytes, 'garbage', [text])).toBe(false)
    expect(isSigned(bytes, signature, [])).toBe(false)
  })

  it('is refused inside the repository, over an existing file, and if it is no Ed25519 key', () => {
    const inside = fileURLToPath(new URL('release.key', import.meta.url))
    expect(() => createReleaseKey(inside)).toThrow(/inside the repository/)
    expect(existsSync(inside)).toBe(false)
    createReleaseKey(at('release.key'))
    const before = readFileSync(at('release.key'))
    expect(() => createReleaseKey(at('release.key'))).toThrow(/never overwritten/)
    expect(readFileSync(at('release.key'))).toEqual(before)
    writeFileSync(at('text.key'), 'not a key', { mode: 0o600 })
    expect(() => readReleaseKey(at('text.key'))).toThrow(/Ed25519/)
    writeFileSync(at('open.key'), before, { mode: 0o644 })
    expect(() => readReleaseKey(at('open.key'))).toThrow(/chmod 600/)
    expect(() => readReleaseKey(at('missing.key'))).toThrow(/cannot be read/)
  })
})

describe('the packages that executables are made of', () => {
  it('are pinned by SHA-512', () => {
    for (const { integrity } of [...Object.values(PLATFORMS), POSTJECT])
      expect(Buffer.from(integrity.replace('sha512-', ''), 'base64')).toHaveLength(64)
  })

  it('know the machine that builds, if there is a Node.js for it', () => {
    expect(hostPlatform({ platform: 'linux', arch: 'arm64' } as NodeJS.Process)).toBe('linux-arm64')
    expect(hostPlatform({ platform: 'win32', arch: 'x64' } as NodeJS.Process)).toBe('windows-x64')
    expect(hostPlatform({ platform: 'darwin', arch: 'arm64' } as NodeJS.Process)).toBeUndefined()
  })

  it('are removed and not used if their bytes are not the expected ones', () => {
    const integrity = `sha512-${createHash('sha512').update('the package').digest('base64')}`
    writeFileSync(at('package.tgz'), 'the package')
    requireIntegrity(at('package.tgz'), integrity)
    writeFileSync(at('package.tgz'), 'another package')
    expect(() => requireIntegrity(at('package.tgz'), integrity)).toThrow(/instead of/)
    expect(existsSync(at('package.tgz'))).toBe(false)
  })
})
