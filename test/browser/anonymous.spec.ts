import { expect, test, views } from './world.ts'

for (const view of views)
  test.describe(view.name, () => {
    test.use({ view })

    test('a file is left without an account and fetched by its link', async ({ page, file, at, t }) => {
      const { path, bytes } = file('message 瓶.txt', 40_000)
      await page.goto(at('/'))
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: t.home.choose }).click()
      await (await chooser).setFiles(path)
      await expect(page.getByText(t.home.done)).toBeVisible()
      const link = (await page.locator('code').textContent()) ?? ''
      const answer = await fetch(link)
      expect(answer.status).toBe(200)
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
      await expect(page.getByText(t.home.downloadsLeft(19))).toBeVisible({ timeout: 15_000 })
    })

    test('refused are an empty file, one above 100 MiB, and two at once', async ({ page, file, at, t }) => {
      await page.goto(at('/'))
      const choose = async (path: string) => {
        const chooser = page.waitForEvent('filechooser')
        await page.getByRole('button', { name: t.home.choose }).click()
        await (await chooser).setFiles(path)
      }
      await choose(file('empty.txt', 0).path)
      await expect(page.getByText(t.home.empty)).toBeVisible()
      await page.getByRole('button', { name: t.home.another }).click()
      await choose(file('huge.bin', Buffer.alloc(104_857_601)).path)
      await expect(page.getByText(t.home.tooLarge)).toBeVisible()
      await page.getByRole('button', { name: t.home.another }).click()

      const two = await page.evaluateHandle(() => {
        const dropped = new DataTransfer()
        dropped.items.add(new File(['a'], 'a.txt'))
        dropped.items.add(new File(['b'], 'b.txt'))
        return dropped
      })
      const zone = page.getByText(t.home.drop)
      await zone.dispatchEvent('dragover', { dataTransfer: two })
      await page.getByText(t.home.dropNow).dispatchEvent('drop', { dataTransfer: two })
      await expect(page.getByText(t.home.oneFile)).toBeVisible()
    })
  })
