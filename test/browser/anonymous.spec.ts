import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { requestAnonymousFile, test } from './share-helpers.ts'
import { accessibilityViolations, data, downloaded, expect, filesWords, viewsFor } from './test-env.ts'

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })

    const choose = async (page: Page, name: string, path: string) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name, exact: true }).first().click()
      await (await chooser).setFiles(path)
    }
    const drag = (page: Page, names: string[]) =>
      page.evaluateHandle((list) => {
        const dropped = new DataTransfer()
        for (const name of list) dropped.items.add(new File([`${name} ${Math.random()}`], name))
        return dropped
      }, names)

    test('uploads 5 MB anonymously on the home page and downloads the same bytes by link', async ({
      page,
      visitor,
      file,
      at,
      w,
    }) => {
      test.setTimeout(180_000)
      const { path, bytes } = file('message 瓶.bin', 5_000_000)
      await page.goto(at('/'))
      await choose(page, w.card.choose, path)
      await expect(page.getByRole('heading', { name: w.uploads.result.mine })).toBeVisible({ timeout: 30_000 })
      await expect(page).toHaveURL(/\/homeupload\?cid=/)
      await expect(page.getByRole('img', { name: w.uploads.result.qr })).toBeVisible()
      await expect(page.getByText(w.uploads.result.downloadsOf(20, 20))).toBeVisible()
      const link = (await page.locator('code').first().textContent()) ?? ''
      const about = (await page.locator('code').nth(1).textContent()) ?? ''
      expect(await accessibilityViolations(page)).toEqual([])

      // The link starts a download, so the page never navigates.
      const friend = await visitor()
      const waiting = friend.waitForEvent('download')
      await friend.goto(link).catch(() => {})
      const saved = await waiting
      expect(saved.suggestedFilename()).toBe('message 瓶.bin')
      expect(readFileSync(await saved.path()).equals(bytes)).toBe(true)
      await expect(page.getByText(w.uploads.result.downloadsOf(19, 20))).toBeVisible({ timeout: 20_000 })

      const other = await visitor()
      await other.goto(about)
      await expect(other.getByRole('heading', { name: w.uploads.result.others })).toBeVisible()
      const button = other.getByRole('button', { name: w.uploads.result.download })
      expect((await downloaded(other, () => button.click())).bytes.equals(bytes)).toBe(true)
      await expect(other.getByText(w.shares.theatre.stage.done)).toBeVisible()
      // Copies on new edges count after their first audit, which comes at a random time.
      await expect(page.getByText(w.uploads.result.complete)).toBeVisible({ timeout: 120_000 })
    })

    test('stores a file dropped anywhere, anonymously or in the account', async ({ page, user, signIn, at, t, w }) => {
      const drop = async (name: string) => {
        const dataTransfer = await drag(page, [name])
        for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('h1', type, { dataTransfer })
      }
      await page.goto(at('/newUpload'))
      expect(await accessibilityViolations(page)).toEqual([])
      await drop(`${randomBytes(8).toString('hex')}.txt`)
      await expect(page.getByRole('heading', { name: w.uploads.result.mine })).toBeVisible({ timeout: 30_000 })

      await signIn(page, user)
      await page.goto(at('/newUpload'))
      await expect(page.getByRole('radio', { name: w.uploads.choose.dropsAccount })).toBeChecked()
      await drop('kept.txt')
      await expect(page.getByText(w.uploads.choose.started(1))).toBeVisible()
      await expect(async () => {
        const { list } = await data<{ list: unknown[] }>('folders.contents', { parent: 0 }, user.token)
        expect(list).toHaveLength(1)
      }).toPass()

      // A name conflict opens the same dialog as on the files page.
      const { conflicts } = filesWords(t)
      const dialog = page.getByRole('dialog')
      await drop('kept.txt')
      await expect(dialog.getByText(conflicts.title(1))).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: conflicts.go }).click()
      await expect(page.getByText(w.uploads.choose.started(2))).toBeVisible()
      await expect(async () => {
        const { list } = await data<{ list: unknown[] }>('folders.contents', { parent: 0 }, user.token)
        expect(list).toHaveLength(2)
      }).toPass()
    })

    test('a preview does not count as a download', async ({ page, file, at, w }) => {
      const { path } = file('note.txt', Buffer.from(`a note ${randomBytes(8).toString('hex')}`))
      await page.goto(at('/Upload'))
      await choose(page, w.card.choose, path)
      await expect(page.getByRole('heading', { name: w.uploads.result.mine })).toBeVisible({ timeout: 30_000 })
      await page.getByRole('link', { name: w.uploads.result.preview }).click()
      await expect(page.getByText(/^a note/)).toBeVisible()
      await expect(page.getByText(w.preview.verified)).toBeVisible()
      await page.getByRole('link', { name: w.preview.back }).click()
      await expect(page.getByText(w.uploads.result.downloadsOf(20, 20))).toBeVisible()
    })

    test('rejects an empty file, a file above 100 MiB, and two files at once', async ({ page, file, at, w }) => {
      await page.goto(at('/Upload'))
      await choose(page, w.card.choose, file('empty.txt', 0).path)
      await expect(page.getByText(w.card.empty)).toBeVisible()
      await page.getByRole('button', { name: w.card.another }).click()
      await choose(page, w.card.choose, file('huge.bin', Buffer.alloc(104_857_601)).path)
      await expect(page.getByText(w.card.tooLarge)).toBeVisible()
      await page.getByRole('button', { name: w.card.another }).click()

      const two = await drag(page, ['a.txt', 'b.txt'])
      await page.getByText(w.card.drop).dispatchEvent('dragover', { dataTransfer: two })
      await page.getByText(w.card.dropNow).dispatchEvent('drop', { dataTransfer: two })
      await expect(page.getByText(w.card.oneFile)).toBeVisible()
    })

    test('rejects the 21st download and an unknown file', { tag: '@long' }, async ({ page, visitor, file, at, w }) => {
      const { path } = file('often.txt', Buffer.from(`often ${randomBytes(8).toString('hex')}`))
      await page.goto(at('/Upload'))
      await choose(page, w.card.choose, path)
      await expect(page.getByRole('heading', { name: w.uploads.result.mine })).toBeVisible({ timeout: 30_000 })
      const link = (await page.locator('code').first().textContent()) ?? ''
      const cid = new URL(page.url()).searchParams.get('cid') ?? ''
      for (let index = 0; index < 20; index++) expect((await requestAnonymousFile(cid)).code).toBe(0)
      const friend = await visitor()
      await friend.goto(link)
      await expect(friend).toHaveURL(/\/redirect\?errCode=10011$/)
      await expect(friend.getByRole('heading', { name: w.redirect.errors['10011']?.[0] ?? '' })).toBeVisible()
      await page.reload()
      await expect(page.getByText(w.uploads.result.spentTitle)).toBeVisible()

      const gone = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'
      await friend.goto(at(`/homeupload?cid=${gone}`))
      await expect(friend.getByRole('heading', { name: w.uploads.result.goneTitle })).toBeAttached()
      await friend.goto(at(`/api/v1/storage/temp_file/share/${gone}`))
      await expect(friend.getByRole('heading', { name: w.redirect.errors['10028']?.[0] ?? '' })).toBeVisible()
    })
  })
