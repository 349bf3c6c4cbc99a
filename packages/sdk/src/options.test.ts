import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TraceDetail } from '@tidenet/contract'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import type { Account, TransferReport } from './account.ts'
import type { ArchiveEntry, ArchiveItems, ArchiveOptions, SharedItems } from './download/archive-types.ts'
import type { DownloadOptions, DownloadTarget } from './download/types.ts'
import type { Decryption, Encryption } from './encryption.ts'
import type { EndingFiles } from './endings.ts'
import type { FolderOptions, ListFolderOptions } from './folder.ts'
import type { Library } from './library.ts'
import type { LinkChange, LinkQuery, NewLink } from './links.ts'
import type { OpenFileOptions } from './open-file.ts'
import { OPTIONS, type OptionsName, unknownOption } from './options.ts'
import type { ShareOptions, Sharing } from './share.ts'
import { initialize } from './shared-instance.ts'
import { createStorage, type Storage, type StorageOptions } from './storage.ts'
import { startTestEnv, type TestEnv } from './test-env.fixture.ts'
import type { FolderUploadOptions } from './upload/tree-types.ts'
import type { PathedFile, UploadOptions } from './upload/types.ts'
import type { NewVaultWay, Vault, VaultUnlock } from './vault/vault.ts'
import type { VersionedFile } from './versions.ts'

let env: TestEnv
beforeEach(async () => {
  env = await startTestEnv()
})
afterEach(() => env.close())

const CID = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'
const bytes = new Uint8Array(3)
/** Passes any value, as untyped code can. */
const any = (value: unknown) => value as never

type Work = (storage: Storage) => Promise<{ code: number; msg: string }>

describe('an unknown option is refused before anything is sent, by each function:', () => {
  it.each<[string, Work, string]>([
    ['uploadAsset', (s) => s.uploadAsset(bytes, any({ name: 'a', encryption: { passphrase: 'x' } })), 'encrypt'],
    ['uploadAsset', (s) => s.uploadAsset(bytes, any({ name: 'a', encrypt: { pasphrase: 'x' } })), 'encrypt.passphrase'],
    ['uploadAsset', (s) => s.uploadAsset(any([{ path: 'h/a', fil: bytes }])), 'file'],
    ['uploadFolder', (s) => s.uploadFolder([{ path: 'h/a', file: bytes }], any({ onconflict: 'skip' })), 'onConflict'],
    ['downloadAsset', (s) => s.downloadAsset(any({ asset_CID: CID })), 'assetCid'],
    ['downloadAsset', (s) => s.downloadAsset(any({ assetCid: CID, decrypted: {} })), 'decrypt'],
    ['downloadAsset', (s) => s.downloadAsset(any({ assetCid: CID, decrypt: { identity: 'x' } })), 'decrypt.identities'],
    ['downloadAsset', (s) => s.downloadAsset(any({ assetCid: CID, to: { paht: 'x' } })), 'to.path'],
    ['getDownLoadUrls', (s) => s.getDownLoadUrls(any({ assetCid: CID, tiket: 'x' })), 'ticket'],
    [
      'downloadArchive',
      (s) => s.downloadArchive(any({ entries: [{ path: 'a', cid: CID, sise: 3 }], name: 'a' })),
      'entries.size',
    ],
    ['downloadArchive', (s) => s.downloadArchive(any({ entries: [{ path: 'a' }], nam: 'a' })), 'name'],
    ['challengeReplica', (s) => s.challengeReplica(any({ cid: CID, node: 'n' })), 'nodeId'],
    ['listFolder', (s) => s.listFolder(CID, any({ paths: 'a' })), 'path'],
    ['openFile', (s) => s.openFile(CID, any({ pathe: 'a' })), 'path'],
    ['openFolder', (s) => s.openFolder(CID, any({ user_ID: 'a' })).list(), 'userId'],
    ['openFolder.list', (s) => s.openFolder(CID).list('', any({ signals: 1 })), 'signal'],
    ['openFolder.look', (s) => s.openFolder(CID).look([], any({ signals: 1 })), 'signal'],
    ['createFolder', (s) => s.createFolder(any({ name: 'a', parents: 1 })), 'parent'],
    ['listDirectoryContents', (s) => s.listDirectoryContents(any({ pagesize: 3, Page: 2 })), 'pageSize'],
    ['renameFolder', (s) => s.renameFolder(any({ groupId: 1, newName: 'a' })), 'new_name'],
    ['renameAsset', (s) => s.renameAsset(any({ assetCid: CID, name: 'a', names: 'b' })), 'name'],
    ['deleteFolder', (s) => s.deleteFolder(any({ groupId: 1, forced: true })), 'force'],
    ['deleteAsset', (s) => s.deleteAsset(any({ assetCid: CID, areaIds: ['a'] })), 'areaId'],
    ['getItemDetails', (s) => s.getItemDetails(any({ cid: CID, group: 1 })), 'groupId'],
    ['moveAsset', (s) => s.moveAsset(any({ assetCid: CID, groupID: 1, group_i: 2 })), 'groupId'],
    ['moveFolder', (s) => s.moveFolder(any({ groupId: 1, target_group: 2 })), 'targetGroupId'],
    ['createSharedLink', (s) => s.createSharedLink(any({ id: CID, shortPas: 'abc123' })), 'shortPass'],
    ['revokeSharedLink', (s) => s.revokeSharedLink(any({ id: 'a', ids: 1 })), 'id'],
    ['links.create', (s) => s.links.create(any({ id: CID, maxDownload: 3 })), 'maxDownloads'],
    ['links.list', (s) => s.links.list(any({ Page: 1 })), 'page'],
    ['links.change', (s) => s.links.change(any({ id: 'a', notes: 'x' })), 'note'],
    ['vault.prepare', (s) => s.vault.prepare(any({ passphrase: 'a passphrase', work: 1 })), 'workFactor'],
    ['vault.unlock', (s) => s.vault.unlock(any({ pass: 'x' })), 'passkey'],
    ['vault.remove', (s) => s.vault.remove(any({ lose_files: true })), 'loseFiles'],
    ['listRegions', (s) => s.listRegions(any({ userID: 'a' })), 'userId'],
    ['versions.list', (s) => s.versions.list(any({ assetCid: CID, assetID: 3 })), 'assetId'],
    ['endings.list', (s) => s.endings.list(any({ day: 3 })), 'days'],
    ['usage', (s) => s.usage(any({ day: 3 })), 'days'],
    ['createKey', (s) => s.createKey(any({ name: 'k', permissions: [] })), 'perms'],
    ['deleteKey', (s) => s.deleteKey(any({ name: 'k', nam: 'x' })), 'name'],
    ['restoreKey', (s) => s.restoreKey(any({ name: 'k', nam: 'x' })), 'name'],
    [
      'reports',
      (s) => s.reports(any({ trace_id: 't', state: 1, transfer_type: 'upload', details: [{ nodeid: 'n' }] })),
      'details.node_id',
    ],
  ])('%s (%#)', async (_, work, near) => {
    for (const lang of ['en', 'cn'] as const) {
      const result = await work(env.storage({ lang }))
      expect(result.code).toBe(10025)
      expect(result.msg).toContain(near)
    }
    expect(env.calls).toEqual([])
    expect(env.nodes[0]?.requests).toEqual([])
  })

  it('and by createStorage', () => {
    const refused = initialize(any({ token: 'a', urls: 'http://127.0.0.1:1' }))
    expect([refused.code, refused.msg.includes('url')]).toEqual([10025, true])
    expect(() => createStorage(any({ tokn: 'a' }))).toThrow(/token/)
  })
})

describe('an invalid encrypt or decrypt option', () => {
  it.each([['x'], [''], [null], [false], [true], [[]], [{}], [() => {}]])(
    'and is %j stores and fetches nothing',
    async (wrong) => {
      const storage = env.storage()
      expect((await storage.uploadAsset(bytes, any({ name: 'a', encrypt: wrong }))).code).toBe(10025)
      if (JSON.stringify(wrong) !== '{}')
        expect((await storage.downloadAsset(any({ assetCid: CID, decrypt: wrong }))).code).toBe(10025)
      expect(env.calls).toEqual([])
    },
  )
})

describe('options', () => {
  it('that are undefined are ignored', async () => {
    const uploaded = await env.storage().uploadAsset(bytes, any({ name: 'a', password: undefined, encrypt: undefined }))
    expect(uploaded.code).toBe(0)
  })

  it('that are undefined do not count as a second target', async () => {
    const path = join(tmpdir(), `options-${Math.random()}`)
    const pieces: number[] = []
    const stream = new WritableStream<Uint8Array>({ write: (piece) => void pieces.push(piece.length) })
    for (const to of [
      { path, stream: undefined },
      { path: undefined, handle: undefined, stream },
    ]) {
      const result = await env.storage().downloadAsset(any({ assetCid: CID, to }))
      expect(result.code).not.toBe(10025)
    }
    const both = await env.storage().downloadAsset(any({ assetCid: CID, to: { path, stream } }))
    expect(both.code).toBe(10025)
    expect((await env.storage().downloadAsset(any({ assetCid: CID, to: { path: undefined } }))).code).toBe(10025)
  })

  it('are reported with the closest known option, or all of them', () => {
    expect(unknownOption({ retrycount: 1 }, OPTIONS.upload)).toEqual({ name: 'retrycount', near: 'retryCount' })
    expect(unknownOption({ colour: 1 }, OPTIONS.upload)).toEqual({ name: 'colour', near: undefined })
    expect(unknownOption({ name: 'a', groupId: 0 }, OPTIONS.upload)).toBeUndefined()
  })
})

describe('a folder id', () => {
  it.each<[string, Work]>([
    ['is no -1 when it is deleted', (s) => s.deleteFolder({ groupId: -1 })],
    ['is no 0 when it is deleted', (s) => s.deleteFolder({ groupId: 0 })],
    ['is no fraction', (s) => s.deleteFolder({ groupId: 1.5 })],
    ['is no larger than any', (s) => s.deleteFolder({ groupId: 2 ** 31 })],
    ['is no -1 when it is renamed', (s) => s.renameFolder({ groupId: -1, name: 'a' })],
    ['is no -1 when it is moved', (s) => s.moveFolder({ groupId: -1, targetGroupId: 0 })],
    ['is no -1 where it goes', (s) => s.moveFolder({ groupId: 1, targetGroupId: -1 })],
    ['is no -1 where a file goes', (s) => s.moveAsset({ assetCid: CID, groupId: -1 })],
    ['is no -2 where a file is stored', (s) => s.uploadAsset(bytes, { name: 'a', groupId: -2 })],
    ['is no -1 when it is looked at', (s) => s.getItemDetails({ groupId: -1 })],
  ])('%s', async (_, work) => {
    expect((await work(env.storage())).code).toBe(10017)
    expect(env.calls).toEqual([])
  })
})

type KeyOf<T> = T extends object ? keyof T : never
type First<F> = F extends (options: infer O) => unknown ? NonNullable<O> : never

it('accepts exactly the options of the types', () => {
  expectTypeOf<{ [Name in OptionsName]: (typeof OPTIONS)[Name][number] }>().toEqualTypeOf<{
    storage: KeyOf<StorageOptions>
    upload: KeyOf<UploadOptions>
    folderUpload: KeyOf<FolderUploadOptions>
    pathedFile: KeyOf<PathedFile>
    encrypt: KeyOf<Encryption>
    decrypt: KeyOf<Decryption>
    vaultPrepare: KeyOf<Parameters<Vault['prepare']>[0]>
    vaultUnlock: KeyOf<VaultUnlock>
    vaultWay: KeyOf<NewVaultWay>
    vaultRemove: KeyOf<First<Vault['remove']>>
    download: KeyOf<DownloadOptions>
    target: KeyOf<DownloadTarget>
    archive: KeyOf<ArchiveOptions>
    archiveItems: KeyOf<ArchiveItems>
    archiveShared: KeyOf<SharedItems>
    archiveEntry: KeyOf<ArchiveEntry>
    openFolder: KeyOf<FolderOptions>
    openFile: KeyOf<OpenFileOptions>
    listFolder: KeyOf<ListFolderOptions>
    share: KeyOf<ShareOptions>
    revokeSharedLink: KeyOf<First<Sharing['revokeSharedLink']>>
    createLink: KeyOf<NewLink>
    listLinks: KeyOf<LinkQuery>
    changeLink: KeyOf<LinkChange>
    createFolder: KeyOf<First<Library['createFolder']>>
    list: KeyOf<First<Library['listDirectoryContents']>>
    renameFolder: KeyOf<First<Library['renameFolder']>>
    renameAsset: KeyOf<First<Library['renameAsset']>>
    deleteFolder: KeyOf<First<Library['deleteFolder']>>
    deleteAsset: KeyOf<First<Library['deleteAsset']>>
    item: KeyOf<First<Library['getItemDetails']>>
    moveAsset: KeyOf<First<Library['moveAsset']>>
    moveFolder: KeyOf<First<Library['moveFolder']>>
    versions: KeyOf<VersionedFile>
    endings: KeyOf<EndingFiles>
    regions: KeyOf<First<Account['listRegions']>>
    usage: KeyOf<First<Account['usage']>>
    createKey: KeyOf<First<Account['createKey']>>
    changeKey: KeyOf<First<Account['changeKey']>>
    rotateKey: KeyOf<First<Account['rotateKey']>>
    deleteKey: KeyOf<First<Account['deleteKey']>>
    restoreKey: KeyOf<First<Account['restoreKey']>>
    report: KeyOf<TransferReport>
    reportDetail: KeyOf<TraceDetail>
    challenge: KeyOf<First<Storage['challengeReplica']>>
    signal: 'signal'
  }>()
})
