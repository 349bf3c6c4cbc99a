import { createStorage, isSuccess } from '@tidenet/storage'
import { texts as adminEn } from '../../apps/web/src/features/admin/abuse-texts.en.ts'
import { texts as adminZh } from '../../apps/web/src/features/admin/abuse-texts.zh.ts'
import { texts as en } from '../../apps/web/src/features/shares/publish-texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/shares/publish-texts.zh.ts'
import {
  accessibilityViolations,
  act,
  data,
  expect,
  filesWords,
  operator,
  overflows,
  test,
  uploadTo,
  viewsFor,
} from './test-env.ts'

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    const p = view.lang === 'zh' ? zh : en
    const r = view.lang === 'zh' ? adminZh : adminEn

    test('a file is published, listed and unpublished', async ({ page, user, signIn, file, at, t }, info) => {
      const shot = (name: string) => page.screenshot({ path: info.outputPath(`${name}.png`), fullPage: true })
      const w = filesWords(t)
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      const { path } = file('coast.txt', 2000)
      await uploadTo(page, t, 'files', path)
      await expect(page.getByRole('button', { name: 'coast.txt', exact: true })).toBeVisible()
      await page.getByRole('button', { name: w.transfers.clear }).click()
      await act(page, t, 'coast.txt', w.files.publish)
      const dialog = page.getByRole('dialog')
      for (const point of p.publish.points) await expect(dialog).toContainText(point)
      expect(await accessibilityViolations(page)).toEqual([])
      await shot('before')
      await dialog.getByRole('button', { name: p.publish.go, exact: true }).click()
      const open = dialog.getByRole('link', { name: p.publish.open })
      await expect(open).toHaveAttribute('href', /^https:\/\/ipfs\.tidenet\.example\/ipfs\/b\w+\?filename=coast\.txt$/)
      await expect(dialog).toContainText('ipfs://b')
      expect(await accessibilityViolations(page)).toEqual([])
      await shot('published')
      await dialog.getByRole('link', { name: p.publish.all }).click()
      const list = page.getByRole('region', { name: p.list.title })
      await expect(list).toContainText('coast.txt')
      await expect(list).toContainText(p.list.states.ready)
      await shot('list')
      await list.getByRole('button', { name: p.list.stop('coast.txt') }).click()
      await expect(list).toBeHidden()
    })

    test('an operator sees what is published, and takes it down', async ({
      visitor,
      user,
      signIn,
      at,
      expected,
    }, info) => {
      // The owner's page asks for the sources of a blocked content.
      expected.push(/451|2067/)
      const storage = createStorage({ token: user.token, url: String(process.env.TIDENET_URL) })
      const name = `published ${info.testId} ${view.name}.txt`
      const stored = await storage.uploadAsset(new TextEncoder().encode(name), { name })
      if (!isSuccess(stored)) throw new Error(stored.msg)
      const { cid } = stored.data
      await data('publications.create', { cid }, user.token)
      const boss = await visitor()
      await signIn(boss, await operator())
      await boss.goto(at('/admin?view=published'))
      await expect(boss.getByText(name)).toBeVisible()
      expect(await accessibilityViolations(boss)).toEqual([])
      expect(await overflows(boss)).toBe(false)
      await boss.screenshot({ path: info.outputPath('all.png'), fullPage: true })
      const search = boss.getByRole('searchbox', { name: r.cidOrAddress })
      // A complaint about what nobody published can still be answered with a block.
      await search.fill('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku')
      await boss.keyboard.press('Enter')
      await expect(boss.getByText(r.notPublished)).toBeVisible()
      await boss.getByRole('button', { name: r.blockAsked }).click()
      await expect(boss.getByRole('dialog', { name: r.blockTitle })).toContainText('bafkreihdwdcefgh4')
      await boss.keyboard.press('Escape')
      await search.fill(`https://ipfs.tidenet.example/ipfs/${cid}?filename=a.txt`)
      await boss.keyboard.press('Enter')
      await expect(boss).toHaveURL(/q=https/)
      await boss.getByRole('button', { name: r.takeDown(name) }).click()
      const dialog = boss.getByRole('dialog', { name: r.blockTitle })
      await dialog.getByRole('combobox').selectOption('copyright')
      await dialog.getByRole('textbox').fill('asked for by mail')
      await dialog.getByRole('button', { name: r.block }).click()
      await expect(boss.getByText(r.blockedNow, { exact: true })).toBeVisible()
      await expect(boss.getByRole('button', { name: r.takeDown(name) })).toBeHidden()
      await boss.screenshot({ path: info.outputPath('blocked.png'), fullPage: true })
      await expect
        .poll(() => data('abuse.blockedFiles', { page: 1, page_size: 10 }, user.token))
        .toMatchObject({ total: 1, list: [{ cid, category: 'copyright' }] })
    })

    test(
      'a folder of single files is published as it is, and again when files have ended',
      { tag: '@long' },
      async ({ page, user, signIn, at, t }, info) => {
        const shot = (name: string) => page.screenshot({ path: info.outputPath(`${name}.png`), fullPage: true })
        const w = filesWords(t)
        const folder = { name: 'Harbour', parent: 0 }
        const { group } = await data<{ group: { ID: number } }>('folders.create', folder, user.token)
        const storage = createStorage({ token: user.token, url: String(process.env.TIDENET_URL) })
        const upload = async (name: string): Promise<string> => {
          const stored = await storage.uploadAsset(new TextEncoder().encode(name), { name, groupId: group.ID })
          if (!isSuccess(stored)) throw new Error(stored.msg)
          return stored.data.cid
        }
        const first = await upload('a.txt')
        await upload('b.txt')
        await signIn(page, user)
        await page.goto(at('/fileStorage'))
        await act(page, t, 'Harbour', w.files.publish)
        const dialog = page.getByRole('dialog')
        for (const point of p.publish.folderPoints) await expect(dialog).toContainText(point)
        await shot('folder-before')
        await dialog.getByRole('button', { name: p.publish.go, exact: true }).click()
        const open = dialog.getByRole('link', { name: p.publish.open })
        await expect(open).toHaveAttribute('href', /\/ipfs\/bafybei\w+\/$/)
        const before = await open.getAttribute('href')
        await shot('folder-published')
        await data('assets.remove', { asset_cid: first, trash: true }, user.token)
        await page.reload()
        await act(page, t, 'Harbour', w.files.publish)
        await expect(dialog).toContainText(p.publish.ended(1, 2))
        expect(await accessibilityViolations(page)).toEqual([])
        await shot('folder-ended')
        await dialog.getByRole('button', { name: p.publish.again, exact: true }).click()
        await expect(open).not.toHaveAttribute('href', before ?? '')
        await expect(dialog).not.toContainText(p.publish.ended(1, 2))
      },
    )
  })
