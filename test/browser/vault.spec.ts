import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createStorage, type VaultKey } from '@tidenet/storage'
import { texts as en } from '../../apps/web/src/features/vault/texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/vault/texts.zh.ts'
import {
  accessibilityViolations,
  act,
  test as base,
  createUser,
  data,
  downloaded,
  expect,
  filesWords,
  type TestUser,
  uploadTo,
  viewsFor,
} from './test-env.ts'

const PASSPHRASE = 'tide pool lantern'
const test = base.extend<{ v: typeof en }>({
  v: async ({ view }, use) => use(view.lang === 'zh' ? zh : en),
})

const sdkOf = (user: TestUser) => createStorage({ url: process.env.TIDENET_URL ?? '', token: user.token, lang: 'en' })

/** Sets up the vault of an account with the SDK. */
async function vaultOf(user: TestUser): Promise<{ kit: string; key: VaultKey }> {
  const draft = await sdkOf(user).vault.prepare({ passphrase: PASSPHRASE, workFactor: 10 })
  if (draft.code !== 0) throw new Error(draft.msg)
  const { kit, save } = draft.data as { kit: string; save: () => Promise<{ code: number; data: unknown }> }
  return { kit, key: (await save()).data as VaultKey }
}

/** An encrypted folder with a file. */
async function folderWith(user: TestUser, key: VaultKey, name: string, text: string): Promise<number> {
  const sdk = sdkOf(user)
  const made = await sdk.createFolder({ name: 'private', encrypted: true })
  const { group } = made.data as { group: { ID: number } }
  const encrypt = { recipients: [key.recipient] }
  const stored = await sdk.uploadAsset(new File([text], name), { groupId: group.ID, encrypt })
  if (stored.code !== 0) throw new Error(stored.msg)
  return group.ID
}

interface Item {
  Group: { ID: number; Name: string; Encrypted: boolean } | null
  AssetOverview: { AssetRecord: { CID: string }; UserAssetDetail: { AssetName: string } } | null
}
const contentsOf = async (user: TestUser, parent: number, name: string): Promise<Item[]> =>
  (await data<{ list: Item[] }>('folders.contents', { parent }, user.token)).list.filter(
    ({ Group, AssetOverview }) => (Group?.Name ?? AssetOverview?.UserAssetDetail.AssetName) === name,
  )

const unlockBy = async (page: Page, label: string, text: string, go: string) => {
  await page.getByRole('textbox', { name: label, exact: true }).fill(text)
  await page.getByRole('button', { name: go, exact: true }).last().click()
}

interface Contents {
  list: { AssetOverview: { AssetRecord: { CID: string } } | null }[]
}
const folderOf = (page: Page) => Number(new URL(page.url()).searchParams.get('folder'))
/** One pixel. */
const PICTURE = Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  // A file that is smaller than its thumbnail has none kept.
  Buffer.alloc(9000),
])

for (const view of viewsFor('wide'))
  test.describe(`${view.name}: encrypted folders`, () => {
    test.use({ view })
    test.setTimeout(90_000)

    test('are set up with a kit, encrypt what is uploaded, and open again after a reload', async ({
      page,
      user,
      signIn,
      at,
      t,
      v,
      file,
    }) => {
      const w = filesWords(t)
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await page.getByRole('button', { name: w.files.newFolder }).click()
      await page.getByRole('textbox', { name: w.files.folderName }).fill('private')
      await page.getByRole('checkbox', { name: v.folder.option }).click()
      await page.getByRole('dialog').getByRole('button', { name: w.files.create, exact: true }).click()
      await expect(page.getByLabel(v.setup.passphrase, { exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      // The name is kept.
      await expect(page.getByRole('textbox', { name: w.files.folderName })).toHaveValue('private')
      await page.getByRole('dialog').getByRole('button', { name: w.files.create, exact: true }).click()

      await page.getByLabel(v.setup.passphrase, { exact: true }).fill('short')
      await page.getByRole('button', { name: v.setup.next }).click()
      await expect(page.getByText(v.setup.short(10))).toBeVisible()
      await page.getByLabel(v.setup.passphrase, { exact: true }).fill(PASSPHRASE)
      await page.getByLabel(v.setup.repeat).fill(PASSPHRASE)
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: v.setup.next }).click()
      const saved = await downloaded(page, () => page.getByRole('button', { name: v.setup.save }).click())
      expect(saved.name).toBe('tidenet-recovery-kit.txt')
      const kit = saved.bytes.toString()
      expect(await accessibilityViolations(page)).toEqual([])
      // Nothing is stored before the kit was kept.
      expect(await data('vault.info', {}, user.token)).toMatchObject({ vault: null })
      await page.getByRole('button', { name: v.setup.kept }).click()
      await page.getByRole('textbox', { name: v.setup.check }).fill('QQQQQQ')
      await page.getByRole('button', { name: v.setup.finish }).click()
      await expect(page.getByText(v.setup.wrong)).toBeVisible()
      const recovery = /^AGE-SECRET-KEY-1\w+$/m.exec(kit)?.[0] ?? ''
      await page.getByRole('textbox', { name: v.setup.check }).fill(recovery.slice(-6).toLowerCase())
      await page.getByRole('button', { name: v.setup.finish }).click()

      await page.getByRole('link', { name: 'private', exact: true }).click()
      await expect(page.getByText(v.folder.unlocked)).toBeVisible()
      const secret = file('note.txt', Buffer.from('the tide turns at noon'))
      await uploadTo(page, t, 'files', secret.path)
      await expect(page.getByRole('region', { name: w.transfers.queueTitle })).toContainText(w.transfers.queueDone(1))
      await page.getByRole('button', { name: w.transfers.clear }).click()
      const { list } = await data<Contents>('folders.contents', { parent: folderOf(page) }, user.token)
      const cid = list[0]?.AssetOverview?.AssetRecord.CID ?? ''
      // What nodes have is ciphertext, which the kit opens without the portal.
      const sdk = sdkOf(user)
      const stored = await sdk.downloadAsset({ assetCid: cid, to: 'blob' })
      expect(await (stored.data as { blob: Blob }).blob.text()).toMatch(/^age-encryption\.org\/v1\n-> X25519 /)
      const { identity } = (await sdk.vault.openKit(kit)).data as VaultKey
      const opened = await sdk.downloadAsset({ assetCid: cid, to: 'blob', decrypt: { identities: [identity] } })
      expect(await (opened.data as { blob: Blob }).blob.text()).toBe('the tide turns at noon')

      await act(page, t, 'note.txt', w.files.preview)
      await expect(page.getByRole('dialog').getByText('the tide turns at noon')).toBeVisible()
      await page.keyboard.press('Escape')
      expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
        'AGE-SECRET-KEY',
      )

      // The portal keeps the thumbnail of an image, and cannot see what it shows.
      await uploadTo(page, t, 'files', file('boat.png', PICTURE).path)
      const picture = page.getByRole('button', { name: 'boat.png', exact: true })
      await expect(picture).toBeVisible()
      const thumbnail = async () => {
        const { list } = await data<Contents>('folders.contents', { parent: folderOf(page) }, user.token)
        const cids = list.flatMap(({ AssetOverview }) => AssetOverview?.AssetRecord.CID ?? [])
        const kept = await data<{ list: { image: string }[] }>('thumbnails.get', { cids }, user.token)
        return Buffer.from(kept.list[0]?.image ?? '', 'base64').toString('latin1')
      }
      await expect.poll(thumbnail).toMatch(/^age-encryption\.org\/v1\n-> X25519 /)

      // The key is gone after a reload; the folder still lists its file, and a wrong passphrase says so.
      await page.reload()
      await expect(page.getByText(v.folder.locked)).toBeVisible()
      await act(page, t, 'note.txt', w.files.preview)
      const overlay = page.getByRole('dialog')
      await unlockBy(page, v.unlock.passphrase, 'tide pool lanterN', v.unlock.go)
      await expect(overlay.getByText(/Wrong key|密钥错误/)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await unlockBy(page, v.unlock.passphrase, PASSPHRASE, v.unlock.go)
      await expect(overlay.getByText('the tide turns at noon')).toBeVisible()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: w.view.grid }).click()
      await expect(page.locator('img[src^="blob:"]')).toBeVisible()
      await page.getByRole('button', { name: v.unlock.lock, exact: true }).click()
      await expect(page.locator('img[src^="blob:"]')).toBeHidden()
      await expect(page.getByText(v.folder.locked)).toBeVisible()
      await expect(page.getByRole('button', { name: 'note.txt', exact: true })).toBeVisible()
    })

    test('open in a clean browser with the recovery kit, also as an archive', { tag: '@long' }, async ({
      user,
      visitor,
      signIn,
      at,
      t,
      v,
      file,
    }) => {
      const w = filesWords(t)
      const { kit, key } = await vaultOf(user)
      const folder = await folderWith(user, key, 'note.txt', 'the tide turns at noon')
      const page = await visitor()
      await signIn(page, user)
      await page.goto(at(`/fileStorage?folder=${folder}`))
      await expect(page.getByRole('button', { name: 'note.txt', exact: true })).toBeVisible()
      await page.getByRole('region', { name: v.folder.title }).getByRole('button', { name: v.unlock.go }).click()
      await page.getByRole('button', { name: v.unlock.byKit }).click()
      const other = await vaultOf(await createUser())
      await unlockBy(page, v.unlock.kit, other.kit, v.unlock.go)
      await expect(page.getByRole('dialog').getByText(/Wrong key|密钥错误/)).toBeVisible()
      const chosen = file('kit.txt', Buffer.from(kit))
      await page.getByLabel(v.unlock.kitFile).setInputFiles(chosen.path)
      await expect(page.getByText(v.folder.unlocked)).toBeVisible()

      const saved = await downloaded(page, () => act(page, t, 'note.txt', t.words.download))
      expect([saved.name, saved.bytes.toString()]).toEqual(['note.txt', 'the tide turns at noon'])

      await page.goto(at('/fileStorage'))
      await act(page, t, 'private', w.files.downloadTar)
      await expect(page.getByRole('dialog', { name: v.unlock.title })).toBeVisible()
      const tar = page.waitForEvent('download')
      await unlockBy(page, v.unlock.passphrase, PASSPHRASE, v.unlock.go)
      const archive = readFileSync(await (await tar).path())
      expect(archive.toString('latin1')).toContain('the tide turns at noon')
      expect(archive.toString('latin1')).not.toContain('note.txt.age')
    })

    test(
      'take the files of a folder, each encrypted, also when merged from the folder above',
      { tag: '@long' },
      async ({ page, user, signIn, at, t, v }, info) => {
        const w = filesWords(t)
        const { key } = await vaultOf(user)
        const folder = await folderWith(user, key, 'note.txt', 'the tide turns at noon')
        await signIn(page, user)
        const disk = info.outputPath('private')
        mkdirSync(join(disk, 'inner'), { recursive: true })
        writeFileSync(join(disk, 'inner', 'deep.txt'), 'six fathoms')
        const sdk = sdkOf(user)
        const queue = page.getByRole('region', { name: w.transfers.queueTitle })
        const stored = async (parent: number) => {
          const [inner] = await contentsOf(user, parent, 'inner')
          const [file] = await contentsOf(user, inner?.Group?.ID ?? -1, 'deep.txt')
          const { cid = '', Encrypted } = { cid: file?.AssetOverview?.AssetRecord.CID, ...inner?.Group }
          const opened = await sdk.downloadAsset({ assetCid: cid, to: 'blob', decrypt: { identities: [key.identity] } })
          return [Encrypted, await (opened.data as { blob: Blob }).blob.text()]
        }
        // Into it.
        await page.goto(at(`/fileStorage?folder=${folder}`))
        await expect(page.getByRole('button', { name: 'note.txt', exact: true })).toBeVisible()
        await uploadTo(page, t, 'folder', disk)
        await unlockBy(page, v.unlock.passphrase, PASSPHRASE, v.unlock.go)
        await expect(queue).toContainText(w.transfers.queueDone(1))
        const [below] = await contentsOf(user, folder, 'private')
        expect(await stored(below?.Group?.ID ?? -1)).toEqual([true, 'six fathoms'])
        // From the folder above, which is not encrypted.
        await page.goto(at('/fileStorage'))
        await expect(page.getByRole('link', { name: 'private', exact: true }).first()).toBeVisible()
        await uploadTo(page, t, 'folder', disk)
        await page.getByRole('dialog').getByRole('button', { name: w.conflicts.go }).click()
        await unlockBy(page, v.unlock.passphrase, PASSPHRASE, v.unlock.go)
        await expect(queue).toContainText(w.transfers.queueDone(1))
        expect(await stored(folder)).toEqual([true, 'six fathoms'])
      },
    )

    test('open with a passkey, and without it after it is lost', { tag: '@long' }, async ({
      page,
      user,
      at,
      v,
      context,
      view,
    }) => {
      const local = (path: string) => at(path).replace('127.0.0.1', 'localhost')
      await context.addCookies([{ name: 'lang', value: view.lang, url: local('/') }])
      const { key } = await vaultOf(user)
      const folder = await folderWith(user, key, 'note.txt', 'the tide turns at noon')
      const cdp = await context.newCDPSession(page)
      await cdp.send('WebAuthn.enable')
      const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          ctap2Version: 'ctap2_1',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          hasPrf: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      const userinfo = { uid: user.uid, vip: false, account: user.email }
      await page.goto(local('/theme.js'))
      await page.evaluate((state) => localStorage.setItem('tidenet.login', JSON.stringify({ state, version: 1 })), {
        token: user.token,
        address: user.uid,
        emailAddress: user.email,
        userinfo,
      })
      await page.goto(local('/security'))
      await page.getByRole('button', { name: v.ways.addPasskey }).click()
      await unlockBy(page, v.unlock.passphrase, PASSPHRASE, v.unlock.go)
      await page.getByRole('textbox', { name: v.ways.name }).fill('harbour')
      await page.getByRole('dialog').getByRole('button', { name: v.ways.add, exact: true }).click()
      await expect(page.getByText('harbour')).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      await page.goto(local(`/fileStorage?folder=${folder}`))
      const unlock = page.getByRole('region', { name: v.folder.title }).getByRole('button', { name: v.unlock.go })
      await unlock.click()
      await page.getByRole('button', { name: v.unlock.byPasskey }).click()
      await expect(page.getByText(v.folder.unlocked)).toBeVisible()

      await page.reload()
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
      await unlock.click()
      await page.getByRole('button', { name: v.unlock.byPasskey }).click()
      await expect(page.getByRole('dialog').getByRole('textbox')).toHaveAttribute('aria-invalid', 'true')
      await unlockBy(page, v.unlock.passphrase, PASSPHRASE, v.unlock.go)
      await expect(page.getByText(v.folder.unlocked)).toBeVisible()

      await page.goto(local('/security'))
      await page.getByRole('button', { name: v.ways.removeOf('harbour') }).click()
      await page.getByRole('dialog').getByRole('button', { name: v.ways.remove, exact: true }).click()
      await expect(page.getByRole('button', { name: v.ways.removeOf('harbour') })).toBeHidden()
      // The kit and the passphrase stay.
      await expect(page.getByRole('button', { name: v.ways.removeOf(v.ways.kinds.passphrase) })).toBeHidden()
    })
  })
