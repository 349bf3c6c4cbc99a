import { call, expect, test, views } from './world.ts'

for (const view of views)
  test.describe(view.name, () => {
    test.use({ view })

    test('a key is shown once, may do what was chosen, and is refused once deleted', async ({
      page,
      person,
      signIn,
      at,
      t,
    }) => {
      await signIn(page, person)
      await page.goto(at('/key'))
      await page.getByRole('button', { name: t.keys.create }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.keys.name, { exact: true }).fill('笔记本 laptop')
      await dialog.getByRole('radio', { name: t.keys.normal }).click()
      await dialog.getByText(t.keys.permission.createFile, { exact: true }).click()
      await dialog.getByRole('button', { name: t.keys.create }).click()
      const key = (await dialog.locator('code').first().textContent()) ?? ''
      expect(key).toMatch(/^tnk_/)
      await dialog.getByRole('button', { name: t.keys.kept }).click()
      await expect(page.getByRole('heading', { name: '笔记本 laptop' })).toBeVisible()
      await expect(page.getByText(key)).toBeHidden()

      expect((await call('folders.contents', {}, key)).code).toBe(0)
      expect((await call('uploads.info', { size: 10 }, key)).code).toBe(-1)
      expect((await call('folders.create', { name: 'no', parent: 0 }, key)).code).toBe(-1)

      await page.getByRole('button', { name: t.keys.actions('笔记本 laptop') }).click()
      await page.getByRole('dialog').getByRole('button', { name: t.words.delete }).click()
      await expect(page.getByText(t.keys.emptyTitle)).toBeVisible()
      await expect.poll(async () => (await call('folders.contents', {}, key)).code).toBe(401)
    })

    test('refused are a key without a name, without permissions, or with a name that is taken', async ({
      page,
      person,
      signIn,
      at,
      t,
    }) => {
      expect((await call('apiKeys.create', { key_name: 'taken' }, person.token)).code).toBe(0)
      await signIn(page, person)
      await page.goto(at('/key'))
      await page.getByRole('button', { name: t.keys.create }).click()
      const dialog = page.getByRole('dialog')
      const submit = dialog.getByRole('button', { name: t.keys.create })
      await submit.click()
      await expect(dialog.getByText(t.files.nameMissing)).toBeVisible()
      await dialog.getByLabel(t.keys.name, { exact: true }).fill('taken')
      await dialog.getByRole('radio', { name: t.keys.normal }).click()
      for (const perm of ['readFile', 'createFile', 'readFolder'] as const)
        await dialog.getByText(t.keys.permission[perm], { exact: true }).click()
      await submit.click()
      await expect(dialog.getByText(t.keys.choosePermission)).toBeVisible()
      await dialog.getByText(t.keys.permission.readFile, { exact: true }).click()
      await submit.click()
      await expect(dialog.locator('[aria-invalid=true]')).toBeVisible()
    })
  })
