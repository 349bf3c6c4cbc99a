import { createStorage, isSuccess, type Result } from '@tidenet/storage'
import {
  dockerArchive,
  file,
  layoutFiles,
  tar,
} from '../../apps/server/src/compute/clusters/archives/sample-archives.fixture.ts'
import { texts as imageEn } from '../../apps/web/src/features/workspaces/image-texts.en.ts'
import { texts as imageZh } from '../../apps/web/src/features/workspaces/image-texts.zh.ts'
import { data, expect, type TestUser, test, viewsFor } from './test-env.ts'
import { buyWorkspace, consoleTokenOf, expectUsable, linkNewWallet, wordsOf } from './workspace-helpers.ts'

const SLOW = { timeout: 30_000 }

function resultOf<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg}`)
  return result.data
}

/** The folder `images` with an archive, a tar file that is none, a photo, and the folder `layout` with an image. */
async function storeImages({ token }: TestUser, url: string): Promise<void> {
  const storage = createStorage({ url, token })
  const folderIn = async (name: string, parent: number) =>
    resultOf(await storage.createFolder({ name, parent })).group.ID
  const put = async (name: string, bytes: Buffer, groupId: number) =>
    resultOf(await storage.uploadAsset(bytes, { name, groupId }))
  const images = await folderIn('images', 0)
  const layers = [await tar([file('bin/tool', 'hello', 0o755)])]
  await put('app.tar', await dockerArchive({ layers }), images)
  await put('notes.tar', await tar([file('readme', 'no image')]), images)
  await put('photo.jpg', Buffer.from('a photo'), images)
  const layout = await folderIn('layout', images)
  const blobs = await folderIn('sha256', await folderIn('blobs', layout))
  for (const [path, bytes] of layoutFiles({ layers, config: { Cmd: ['/bin/tool'] } }))
    await put(path.split('/').at(-1) ?? '', bytes, path.startsWith('blobs/') ? blobs : layout)
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = wordsOf(view)
    const k = view.lang === 'zh' ? imageZh : imageEn

    test('images are chosen in the storage: an archive, and a folder', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
    }) => {
      test.setTimeout(180_000)
      const { key } = await linkNewWallet(user)
      await buyWorkspace(user, key, at('/chain/rpc'))
      await storeImages(user, at('/').replace(/\/$/, ''))
      await signIn(page, user)
      await page.goto(at(await consoleTokenOf(user)))
      await page.getByRole('link', { name: new RegExp(`^${w.spaces.open}`) }).click()
      const dialog = page.getByRole('dialog')
      const image = (name: string) => dialog.getByRole('radio', { name: new RegExp(`^${name}`) })
      const open = async () => {
        await page.getByRole('button', { name: k.pick, exact: true }).click()
        await expect(dialog.getByText(k.root)).toBeVisible()
        await dialog.getByRole('radio', { name: 'images', exact: true }).check({ force: true })
      }
      const deploy = async (name: string) => {
        await page.getByRole('link', { name: w.space.deploy }).click()
        await page.getByRole('radio', { name: w.archive.title }).check()
        await expect(page.getByText(k.accepted)).toBeVisible()
        await page.getByRole('button', { name: w.deploy.go, exact: true }).click()
        await expect(page.locator('main').getByText(k.nothing)).toBeVisible()
        await open()
        await image(name).check()
      }

      await test.step('the dialog says what is accepted, and does not offer anything else', async () => {
        await deploy('app.tar')
        await expect(image('photo.jpg')).toBeDisabled()
        await expect(dialog.getByText(k.noTar)).toBeVisible()
        await expectUsable(page, 'image dialog')
        await dialog.getByRole('button', { name: k.choose, exact: true }).click()
        await expect(page.getByText('images/app.tar')).toBeVisible()
        await expectUsable(page, 'image chosen')
        await page.getByLabel(w.deploy.name, { exact: true }).fill('app')
        await page.getByLabel(w.deploy.cpu).fill('0.1')
        await page.getByLabel(w.deploy.memory).fill('64')
        await page.getByLabel(w.deploy.storage).fill('1')
        await page.getByRole('button', { name: w.deploy.go, exact: true }).click()
        await expect(page.getByRole('heading', { name: 'app', level: 1 })).toBeVisible(SLOW)
        await expect(page.getByText(w.state.running, { exact: true })).toBeVisible(SLOW)
      })

      await test.step('the image of a program is changed to a folder that is one', async () => {
        await page.getByRole('link', { name: w.one.settings, exact: true }).click()
        await expect(page.getByText(k.stays)).toBeVisible()
        await open()
        await dialog.getByRole('button', { name: k.choose, exact: true }).click()
        // Nothing was chosen: it stays open.
        await expect(image('app.tar')).toBeVisible()
        await dialog.getByRole('button', { name: /images/ }).click()
        await dialog.getByRole('radio', { name: 'layout', exact: true }).check({ force: true })
        await dialog.getByRole('radio', { name: `layout ${k.layout}` }).check()
        await expectUsable(page, 'folder that is an image')
        await dialog.getByRole('button', { name: k.choose, exact: true }).click()
        await page.getByRole('button', { name: w.settings.apply }).click()
        await expect(page.getByText(w.settings.changed)).toBeVisible()
        await expect(page.getByText(w.archive.folderShown).first()).toBeVisible(SLOW)
        await expect(page.getByText(w.state.running, { exact: true })).toBeVisible(SLOW)
      })

      await test.step('a tar file that is no image is refused with its reason, and no key is left', async () => {
        await page
          .getByRole('link', { name: new RegExp(`^${w.region.distributed}`) })
          .first()
          .click()
        await deploy('notes.tar')
        await dialog.getByRole('button', { name: k.choose, exact: true }).click()
        await page.getByLabel(w.deploy.name, { exact: true }).fill('notes')
        await page.getByRole('button', { name: w.deploy.go, exact: true }).click()
        await expect(page.getByText(w.failure.archive)).toBeVisible(SLOW)
        await expect(page.getByText(/manifest\.json/)).toBeVisible()
        expect((await data<{ list: unknown[] }>('apiKeys.list', {}, user.token)).list).toEqual([])
      })
    })
  })
