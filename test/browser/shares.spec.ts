import { act, call, data, downloaded, expect, test, uploadTo, views } from './world.ts'

for (const view of views)
  test.describe(view.name, () => {
    test.use({ view })
    test.beforeEach(async ({ page, person, signIn, at }) => {
      await signIn(page, person)
      await page.goto(at('/fileStorage'))
    })

    test('a file shared with a password opens for who knows it, until the sharing ends', async ({
      page,
      visitor,
      file,
      t,
    }) => {
      const { path, bytes } = file('tides.csv', 2_000_000)
      await uploadTo(page, t, 'files', path)
      await expect(page.getByRole('button', { name: 'tides.csv', exact: true })).toBeVisible()
      await page.getByRole('button', { name: t.transfers.clear }).click()
      await act(page, t, 'tides.csv', t.files.share)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio', { name: t.shares.days(7) }).click()
      await dialog.getByLabel(t.shares.password).fill('Ebb123')
      await dialog.getByRole('button', { name: t.shares.create }).click()
      const link = (await dialog.locator('code').first().textContent()) ?? ''
      expect(link).toContain('/link?')

      const friend = await visitor()
      await friend.goto(link)
      await expect(friend.getByRole('heading', { name: t.shares.passwordTitle })).toBeVisible()
      await friend.getByLabel(t.shares.password).fill('Flow12')
      await friend.getByRole('button', { name: t.shares.open, exact: true }).click()
      await expect(friend.locator('[aria-invalid=true]')).toBeVisible()
      await friend.getByLabel(t.shares.password).fill('Ebb123')
      await friend.getByRole('button', { name: t.shares.open, exact: true }).click()
      await expect(friend.getByRole('heading', { name: 'tides.csv' })).toBeVisible()
      const saved = await downloaded(friend, () => friend.getByRole('button', { name: t.words.download }).click())
      expect(saved.name).toBe('tides.csv')
      expect(saved.bytes.equals(bytes)).toBe(true)
      await expect(friend.getByText(t.transfers.verifiedFrom)).toBeVisible()

      await dialog.getByLabel(t.shares.password).fill('')
      await dialog.getByRole('radio', { name: t.shares.permanent }).click()
      await dialog.getByRole('button', { name: t.shares.update }).click()
      await expect(dialog.getByText(t.shares.neverExpires)).toBeVisible()
      const other = await visitor()
      await other.goto(link)
      await expect(other.getByRole('heading', { name: 'tides.csv' })).toBeVisible()

      await dialog.getByRole('button', { name: t.shares.stop }).click()
      await expect(dialog.getByRole('button', { name: t.shares.create })).toBeVisible()
      await other.reload()
      await expect(other.getByRole('heading', { name: t.shares.goneTitle })).toBeVisible()
    })

    test('a shared folder shows what lies in it and below', async ({ page, visitor, person, file, at, t }) => {
      const folder = async (name: string, parent: number) =>
        (await data<{ group: { ID: number } }>('folders.create', { name, parent }, person.token)).group.ID
      const outer = await folder('Coast', 0)
      const inner = await folder('North', outer)
      await page.goto(at(`/fileStorage?folder=${inner}`))
      const { path, bytes } = file('cliff.txt', 5000)
      await uploadTo(page, t, 'files', path)
      await expect(page.getByRole('button', { name: 'cliff.txt', exact: true })).toBeVisible()
      await page.goto(at('/fileStorage'))
      await act(page, t, 'Coast', t.files.share)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: t.shares.create }).click()
      const link = (await dialog.locator('code').first().textContent()) ?? ''

      const friend = await visitor()
      await friend.goto(link)
      await expect(friend.getByRole('heading', { name: 'Coast' })).toBeVisible()
      await friend.getByRole('button', { name: /North/ }).click()
      const saved = await downloaded(friend, () =>
        friend.getByRole('button', { name: `${t.words.download}: cliff.txt` }).click(),
      )
      expect(saved.bytes.equals(bytes)).toBe(true)
    })

    test('refused are a password of the wrong form and links that lead nowhere', async ({
      page,
      visitor,
      person,
      at,
      t,
    }) => {
      await data('folders.create', { name: 'Reef', parent: 0 }, person.token)
      await page.reload()
      await act(page, t, 'Reef', t.files.share)
      await page.getByLabel(t.shares.password).fill('abc')
      await page.getByRole('button', { name: t.shares.create }).click()
      await expect(page.getByText(t.shares.passwordFormat)).toBeVisible()
      expect((await call('shares.info', { cid: '1' }, person.token)).code).not.toBe(0)

      const stranger = await visitor()
      await stranger.goto(at('/distributionstatus'))
      await expect(stranger.getByRole('heading', { name: t.shares.invalidTitle })).toBeVisible()
      await stranger.goto(at(`/distributionstatus?cid=bafkreigone&AssetType=file&address=${person.uid}`))
      await expect(stranger.getByRole('heading', { name: t.shares.goneTitle })).toBeVisible()
      await stranger.goto(at(`/groupPreview?cid=bafkreigone&AssetType=folder&address=${person.uid}`))
      await expect(stranger.getByRole('heading', { name: t.shares.invalidTitle })).toBeVisible()
    })
  })
