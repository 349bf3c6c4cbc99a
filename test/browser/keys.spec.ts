import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { texts as keysEn } from '../../apps/web/src/features/keys/texts.en.ts'
import { texts as keysZh } from '../../apps/web/src/features/keys/texts.zh.ts'
import { barriers, call, expect, journeys, type Person, test } from './world.ts'

const shell = promisify(execFile)

/** Opens the page of keys as somebody. */
async function openKeys(
  page: Page,
  person: Person,
  signIn: (page: Page, person: Person) => Promise<void>,
  url: string,
) {
  await signIn(page, person)
  await page.goto(url)
}

for (const view of journeys('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const k = view.lang === 'zh' ? keysZh : keysEn

    test('a key is shown once, works with the command beside it, may do what was chosen, and is refused once revoked', async ({
      page,
      person,
      signIn,
      at,
      t,
    }) => {
      await openKeys(page, person, signIn, at('/key'))
      await page.getByRole('button', { name: t.keys.create }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.keys.name, { exact: true }).fill('笔记本 laptop')
      await dialog.getByRole('radio', { name: t.keys.normal }).click()
      await dialog.getByText(t.keys.permission.createFile, { exact: true }).click()
      await dialog.getByRole('button', { name: t.keys.create }).click()
      const key = (await dialog.locator('code').first().textContent()) ?? ''
      expect(key).toMatch(/^tnk_/)
      expect(await barriers(page)).toEqual([])

      await test.step('the line with curl works as it stands', async () => {
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

    test('a key that may do one thing only comes with a command that it may run', async ({
      page,
      person,
      signIn,
      at,
      t,
    }) => {
      await openKeys(page, person, signIn, at('/key'))
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

    test('refused are a key without a name, without permissions, with a name that is taken, and one more than the plan has', async ({
      page,
      person,
      signIn,
      at,
      t,
    }) => {
      expect((await call('apiKeys.create', { key_name: 'taken' }, person.token)).code).toBe(0)
      await openKeys(page, person, signIn, at('/key'))
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
        expect((await call('apiKeys.create', { key_name: name }, person.token)).code).toBe(0)
      await page.reload()
      await expect(page.getByRole('heading', { level: 2 })).toHaveCount(6)
      await expect(page.getByRole('button', { name: t.keys.create })).toBeDisabled()
      expect((await call('apiKeys.create', { key_name: 'six' }, person.token)).code).toBe(-1)
    })
  })
