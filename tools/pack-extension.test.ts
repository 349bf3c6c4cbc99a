import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packExtension } from './pack-extension.mjs'

it('packs the same bytes from the same sources, with nothing but what the extension needs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidenet-extension-'))
  try {
    const archive = readFileSync(await packExtension(join(folder, 'one')))
    expect(readFileSync(await packExtension(join(folder, 'two'))).equals(archive)).toBe(true)
    expect(archive.includes('manifest.json') && archive.includes('popup.js')).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('asks for no access to pages', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../apps/extension/static/manifest.json', import.meta.url), 'utf8'),
  ) as Record<string, unknown>
  expect(manifest).toMatchObject({ manifest_version: 3, permissions: ['storage'] })
  for (const wide of ['host_permissions', 'optional_host_permissions', 'content_scripts', 'background'])
    expect(manifest[wide]).toBeUndefined()
})
