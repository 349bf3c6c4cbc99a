import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cidOf } from './local-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a file of this machine', () => {
  it('has the CID of its hash', async () => {
    const path = join(folder, 'hello')
    writeFileSync(path, 'hello world')
    expect(await cidOf(path)).toBe('bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e')
  })
})
