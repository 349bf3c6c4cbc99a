import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStorage } from '@tidenet/storage'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CommandError } from './command-error.ts'
import type { AssetPlace } from './places.ts'
import { save } from './saving.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-saving-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('the download of a folder from an unreachable portal fails and leaves nothing', async () => {
  const storage = createStorage({ url: 'http://127.0.0.1:1', token: 'session', retryFor: 0 })
  const asset = { UserAssetDetail: { AssetType: 'folder', TotalSize: 1, Encrypted: false } } as AssetPlace['asset']
  const cid = 'bafybeiaf2dhqwahaoshygpm6qfgrhkyx22cdv3m7kq6bdhrkqvsgr6d44q'
  const place: AssetPlace = { kind: 'asset', name: 'photos', cid, asset, path: '/photos' } as AssetPlace
  const wanted = { place, path: join(folder, 'photos'), base: folder, inTree: false }
  const options = {
    force: false,
    extract: true,
    signal: new AbortController().signal,
    onProgress() {},
    decrypt: undefined,
  }
  await expect(save(storage, wanted, options)).rejects.toBeInstanceOf(CommandError)
  expect(readdirSync(folder)).toEqual([])
})
