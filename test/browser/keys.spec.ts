import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { texts as keysEn } from '../../apps/web/src/features/keys/texts.en.ts'
import { texts as keysZh } from '../../apps/web/src/features/keys/texts.zh.ts'
import { accessibilityViolations, call, expect, type TestUser, test, viewsFor } from './test-env.ts'

const shell = promisify(execFile)

/** Opens the API keys page, signed in. */
async function openKeys(
  page: Page,
  user: TestUser,
  signIn: (page: Page, user: TestUser) => Promise<void>,
  url: string,
) {
  await signIn(page, user)
  await page.goto(url)
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const k = view.lang === 'zh' ? keysZh : keysEn

    test('shows a key once, runs the sample command, limits permissions, and rejects the key after it is revoked', async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      await openKeys(page, user, signIn, at('/key'))
      await page.getByRole('button', { name: t.keys.create }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.keys.name, { exact: true }).fill('笔记本 laptop')
      await dialog.getByRole('radio', { name: t.keys.normal }).click()
      await dialog.getByText(t.keys.permission.createFile, { exact: true }).click()
      await dialog.getByRole('button', { name: t.keys.create }).click()
      const key = (await dialog.locator('code').first().textContent()) ?? ''
      expect(key).toMatch(/^tnk_/)
      expect(await accessibilityViolations(page)).toEqual([])

      await test.step('the curl command works as shown', async () => {
        const line = (await dialog.locator('code').last().textContent()) ?? ''
        expect(line).toContain(key)
        const { stdout } = await shell('sh', ['-c', `${line} -sS`])
        expect(JSON.parse(stdout)).toMatchObject({ code: 0 })
      })

      await dialog.getByRole('button', { name: t.keys.kept }).click()
      await expect(page.getByRole('heading', { name: '笔记本 laptop' })).toBeVisible()
      await expect(page.getByText(key)).toBeHidden()
      const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: '笔记本 laptop' }) })
      await expect(row).toContainText(key.slice(0, 8))
      await expect(row).toContainText(k.short.createFile)

      expect((await call('folders.contents', {}, key)).code).toBe(0)
      expect((await call('uploads.info', { size: 10 }, key)).code).toBe(-1)
      expect((await call('folders.create', { name: 'no', parent: 0 }, key)).code).toBe(-1)

      await page.reload()
      await expect(row).not.toContainText(k.unused)
      await page.getByRole('button', { name: k.revokeOf('笔记本 laptop') }).click()
      await page.getByRole('dialog').getByRole('button', { name: k.revoke }).click()
      await expect(page.getByText(t.keys.emptyTitle)).toBeVisible()
      await expect.poll(async () => (await call('folders.contents', {}, key)).code).toBe(401)
    })

    test('the sample command matches the key’s only permission', async ({ page, user, signIn, at, t }) => {
      await openKeys(page, user, signIn, at('/key'))
      await page.getByRole('button', { name: t.keys.create }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.keys.name, { exact: true }).fill('drop box')
      await dialog.getByRole('radio', { name: t.keys.normal }).click()
      for (const perm of ['readFile', 'readFolder'] as const)
        await dialog.getByText(t.keys.permission[perm], { exact: true }).click()
      await dialog.getByRole('button', { name: t.keys.create }).click()
      const line = (await dialog.locator('code').last().textContent()) ?? ''
      const { stdout } = await shell('sh', ['-c', `${line} -sS`])
      expect(JSON.parse(stdout)).toMatchObject({ code: 0 })
    })

    test('rejects a key without name or permissions, with a used name, or beyond the plan’s limit', async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      expect((await call('apiKeys.create', { key_name: 'taken' }, user.token)).code).toBe(0)
      await openKeys(page, user, signIn, at('/key'))
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

      for (const name of ['two', 'three', 'four', 'five'])
        expect((await call('apiKeys.create', { key_name: name }, user.token)).code).toBe(0)
      await page.reload()
      await expect(page.getByRole('heading', { level: 2 })).toHaveCount(6)
      await expect(page.getByRole('button', { name: t.keys.create })).toBeDisabled()
      expect((await call('apiKeys.create', { key_name: 'six' }, user.token)).code).toBe(-1)
    })
  })
