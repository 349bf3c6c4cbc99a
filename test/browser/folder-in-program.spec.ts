import { texts as filesEn } from '../../apps/web/src/features/files/texts.en.ts'
import { texts as filesZh } from '../../apps/web/src/features/files/texts.zh.ts'
import { texts as folderEn } from '../../apps/web/src/features/workspaces/folder-texts.en.ts'
import { texts as folderZh } from '../../apps/web/src/features/workspaces/folder-texts.zh.ts'
import { data, expect, test, viewsFor } from './test-env.ts'
import { buyWorkspace, consoleTokenOf, expectUsable, linkNewWallet, wordsOf } from './workspace-helpers.ts'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = wordsOf(view)
    const [f, k] = view.lang === 'zh' ? [filesZh.files, folderZh] : [filesEn.files, folderEn]

    test('a folder is opened in a program from its menu', async ({ page, user, signIn, at }) => {
      test.setTimeout(150_000)
      const { key } = await linkNewWallet(user)
      await buyWorkspace(user, key, at('/chain/rpc'))
      await data('folders.create', { name: 'Harbour', parent: 0 }, user.token)
      await signIn(page, user)
      await page.goto(at(await consoleTokenOf(user)))
      await expect(page.getByRole('heading', { name: w.spaces.title })).toBeVisible()
      const open = async () => {
        await page.goto(at('/fileStorage'))
        await page.getByRole('button', { name: f.actions('Harbour') }).click()
        await page.getByRole('menuitem', { name: f.program }).click()
        await page.getByRole('dialog').getByRole('link', { name: f.programGo }).click()
        await expect(page.getByRole('heading', { name: k.openTitle('Harbour') })).toBeVisible()
      }

      await test.step('a program can be made with it', async () => {
        await open()
        await expectUsable(page, 'programs for a folder')
        await page.getByRole('link', { name: k.openNew }).click()
        await expect(page.getByLabel(k.optional)).toBeChecked()
        await expect(page.getByText('Harbour', { exact: true })).toBeVisible()
      })

      await test.step('a program of the account gets it, and then is not offered again', async () => {
        await open()
        await page.getByRole('link', { name: k.openHere('machine') }).click()
        await page.getByRole('button', { name: k.attach, exact: true }).click()
        await expect(page.getByText(k.state.ready)).toBeVisible({ timeout: 30_000 })
        await open()
        await expect(page.getByText(k.openHas('Harbour'))).toBeVisible()
        await expect(page.getByRole('link', { name: k.openHere('machine') })).toHaveCount(0)
      })

      await test.step('without a folder, the page says where to choose one', async () => {
        await page.goto(at('/console/folder'))
        await expect(page.getByRole('link', { name: k.toStorage })).toBeVisible()
      })
    })
  })
