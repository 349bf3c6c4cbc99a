import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { sessionProof } from '@tidenet/daemon/sigv4'
import { texts as capsEn } from '../../apps/web/src/features/keys/caps-texts.en.ts'
import { texts as capsZh } from '../../apps/web/src/features/keys/caps-texts.zh.ts'
import { texts as formEn } from '../../apps/web/src/features/keys/form-texts.en.ts'
import { texts as formZh } from '../../apps/web/src/features/keys/form-texts.zh.ts'
import { texts as s3En } from '../../apps/web/src/features/keys/s3-texts.en.ts'
import { texts as s3Zh } from '../../apps/web/src/features/keys/s3-texts.zh.ts'
import { texts as keysEn } from '../../apps/web/src/features/keys/texts.en.ts'
import { texts as keysZh } from '../../apps/web/src/features/keys/texts.zh.ts'
import { accessibilityViolations, call, data, expect, type TestUser, test, viewsFor } from './test-env.ts'

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
    const f = view.lang === 'zh' ? formZh : formEn
    const caps = view.lang === 'zh' ? capsZh : capsEn
    const s3 = view.lang === 'zh' ? s3Zh : s3En
    const rowOf = (page: Page, name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
    const addressField = (page: Page) => page.getByRole('dialog').getByRole('textbox', { name: f.ips })
    const curlLine = async (page: Page) =>
      (await page.getByRole('button', { name: k.copyCurl }).locator('..').locator('code').last().textContent()) ?? ''
    const shownKey = async (page: Page) => (await page.getByRole('dialog').locator('code').first().textContent()) ?? ''

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
      // One press of Enter too many does not close what is shown once.
      await page.keyboard.press('Enter')
      await expect(dialog.getByText(key, { exact: true })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      await test.step('the curl command works as shown', async () => {
        const line = await curlLine(page)
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

    test('caps the traffic and the orders of a key, and shows what is left', async ({ page, user, signIn, at, t }) => {
      await openKeys(page, user, signIn, at('/key'))
      await page.getByRole('button', { name: t.keys.create }).click()
      const dialog = page.getByRole('dialog')
      const traffic = dialog.getByRole('textbox', { name: caps.traffic })
      const spending = dialog.getByRole('textbox', { name: caps.spending })
      await dialog.getByLabel(t.keys.name, { exact: true }).fill('AI agent')
      await traffic.fill('much')
      await spending.fill('1.5')
      await dialog.getByRole('button', { name: t.keys.create }).click()
      await expect(traffic).toBeFocused()
      await expect(dialog.getByText(caps.badNumber)).toBeInViewport()
      await expect(dialog.getByText(caps.badWhole)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await traffic.fill('0.002')
      await spending.fill('50')
      await dialog.getByRole('button', { name: t.keys.create }).click()
      const key = await shownKey(page)
      await dialog.getByRole('button', { name: t.keys.kept }).click()
      expect((await call('uploads.info', { size: 1_500_000 }, key)).code).toBe(0)
      expect((await call('uploads.info', { size: 1_500_000 }, key)).err).toBe(2160)
      await page.reload()
      const row = rowOf(page, 'AI agent')
      await expect(row.getByText(caps.trafficUsed('0 GB', '0.002 GB', '0.0005 GB'))).toBeVisible()
      await expect(row.getByText(caps.reserved('0.0015 GB'))).toBeVisible()
      await expect(row.getByText(caps.spent(0, 50))).toBeVisible()
      await page.getByRole('button', { name: k.editOf('AI agent') }).click()
      await expect(traffic).toHaveValue('0.002')
      await traffic.fill('')
      await spending.fill('')
      await dialog.getByRole('button', { name: f.save }).click()
      await expect(row.getByText(caps.spent(0, 50))).toBeHidden()
    })

    test('the sample command matches the key’s only permission', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      await openKeys(page, user, signIn, at('/key'))
      await page.getByRole('button', { name: t.keys.create }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.keys.name, { exact: true }).fill('drop box')
      await dialog.getByRole('radio', { name: t.keys.normal }).click()
      for (const perm of ['readFile', 'readFolder'] as const)
        await dialog.getByText(t.keys.permission[perm], { exact: true }).click()
      await dialog.getByRole('button', { name: t.keys.create }).click()
      const line = await curlLine(page)
      const { stdout } = await shell('sh', ['-c', `${line} -sS`])
      expect(JSON.parse(stdout)).toMatchObject({ code: 0 })
    })

    test('rejects a key without name or permissions, with a used name, or beyond the plan’s limit', {
      tag: '@long',
    }, async ({ page, user, signIn, at, t }) => {
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

    test('limits a key to folders, addresses and a time, keeps what was typed when it is refused, and changes it', async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      const folder = async (name: string, parent: number) =>
        (await data<{ group: { ID: number } }>('folders.create', { name, parent }, user.token)).group.ID
      const photos = await folder('photos', 0)
      const holiday = await folder('holiday', photos)
      const secret = await folder('private', 0)
      const canList = async (key: string, parent: number) =>
        (await call('folders.contents', { parent }, key)).code === 0

      await openKeys(page, user, signIn, at('/key'))
      await page.getByRole('button', { name: t.keys.create }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.keys.name, { exact: true }).fill('camera')
      await dialog.getByRole('radio', { name: f.someFolders }).click()
      await dialog.getByRole('radio', { name: f.onDate }).click()
      await addressField(page).fill('127.0.0.0/8, example.org')
      await dialog.getByRole('button', { name: t.keys.create }).click()
      await expect(dialog.getByText(f.chooseFolder)).toBeFocused()
      await expect(dialog.getByText(f.dateMissing)).toBeVisible()

      await test.step('a folder includes those below it', async () => {
        await dialog.getByRole('checkbox', { name: 'photos' }).press('Space')
        await dialog.getByRole('button', { name: /photos$/, expanded: false }).press('Enter')
        const below = dialog.getByRole('checkbox', { name: 'holiday' })
        await expect(below).toBeChecked()
        await expect(below).toBeDisabled()
        await expect(dialog.getByRole('list', { name: f.chosenFolders }).getByRole('listitem')).toHaveText(['/photos'])
      })
      await dialog.getByRole('radio', { name: f.days(30) }).click()
      await dialog.getByRole('button', { name: t.keys.create }).click()
      await expect(addressField(page)).toBeFocused()
      await expect(addressField(page)).toHaveAccessibleDescription(/example\.org/)
      await expect(addressField(page)).toHaveValue('127.0.0.0/8, example.org')
      await expect(dialog.getByLabel(t.keys.name, { exact: true })).toHaveValue('camera')
      expect(await accessibilityViolations(page)).toEqual([])

      await addressField(page).fill('127.0.0.0/8\n::1')
      await dialog.getByRole('button', { name: t.keys.create }).click()
      await expect(dialog.getByText(t.keys.onceText)).toBeVisible()
      const key = await shownKey(page)
      expect([await canList(key, photos), await canList(key, holiday), await canList(key, secret)]).toEqual([
        true,
        true,
        false,
      ])
      await dialog.getByRole('button', { name: t.keys.kept }).click()
      await page.reload()
      const row = rowOf(page, 'camera')
      for (const text of ['/photos', '127.0.0.0/8', '::1', '127.0.0.x']) await expect(row).toContainText(text)
      expect(await accessibilityViolations(page)).toEqual([])

      await test.step('another name, folder and address', async () => {
        await page.getByRole('button', { name: k.editOf('camera') }).click()
        await dialog.getByLabel(t.keys.name, { exact: true }).fill('archive')
        await dialog.getByRole('button', { name: f.removeFolder('/photos') }).click()
        await dialog.getByRole('checkbox', { name: 'private' }).click()
        await dialog.getByRole('button', { name: f.save }).click()
        await expect(rowOf(page, 'archive')).toContainText('/private')
        await expect.poll(() => canList(key, secret)).toBe(true)
        expect(await canList(key, photos)).toBe(false)

        await page.getByRole('button', { name: k.editOf('archive') }).click()
        await expect(dialog.getByRole('radio', { name: f.unchanged })).toBeChecked()
        await addressField(page).fill('203.0.113.7')
        await dialog.getByRole('button', { name: f.save }).click()
        await expect(rowOf(page, 'archive')).toContainText('203.0.113.7')
        await expect.poll(() => canList(key, secret)).toBe(false)
      })
    })

    test('shows the S3 access key once, with the address of the network and how clients are configured', async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      const address = 'https://s3.example.org'
      await page.route('**/api/v1/portal/settings', async (route) => {
        const response = await route.fetch()
        const json = await response.json()
        await route.fulfill({ response, json: { ...json, data: { ...json.data, s3_url: address } } })
      })
      await openKeys(page, user, signIn, at('/key'))
      await page.getByRole('button', { name: t.keys.create }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.keys.name, { exact: true }).fill('backup')
      await dialog.getByRole('button', { name: t.keys.create }).click()
      const shown = (label: string) =>
        dialog.getByRole('button', { name: label }).locator('..').locator('code').last().innerText()
      // Each of the four says whether it is for the API or for S3.
      const labels = [k.page.key, k.page.secret, s3.id, s3.secret]
      for (const label of labels) await expect(dialog.getByText(label, { exact: true })).toBeVisible()
      expect(labels.map((label) => label.split(' ')[0])).toEqual(['API', 'API', 'S3', 'S3'])
      const [id, secret] = [await shown(s3.copyId), await shown(s3.copySecret)]
      expect(await shown(s3.copyAddress)).toBe(address)
      for (const client of ['rclone', 'aws'] as const) {
        await dialog.getByRole('tab', { name: s3.clients[client] }).click()
        const file = dialog.getByRole('tabpanel').locator('code')
        for (const part of [id, secret, address]) await expect(file).toContainText(part)
      }
      expect(await accessibilityViolations(page)).toEqual([])

      const seconds = Math.floor(Date.now() / 1000)
      const proof = sessionProof(secret, id, seconds).toString('hex')
      const { token } = await data<{ token: string }>('s3Access.session', { access_key_id: id, at: seconds, proof }, '')
      expect((await call('folders.contents', {}, token)).code).toBe(0)

      await dialog.getByRole('button', { name: t.keys.kept }).click()
      await expect(rowOf(page, 'backup')).toContainText(s3.of(id))
      await expect(page.getByText(secret)).toBeHidden()
      await expect(page.getByText(address, { exact: true })).toBeVisible()
    })

    test('says nothing of an S3 address if the network has none', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
    }) => {
      const { access_key_id } = await data<{ access_key_id: string }>(
        'apiKeys.create',
        { key_name: 'backup' },
        user.token,
      )
      await openKeys(page, user, signIn, at('/key'))
      await expect(rowOf(page, 'backup')).toContainText(s3.of(access_key_id))
      await expect(page.getByText(s3.address)).toBeHidden()
    })

    test('rotates a key: both work until the earlier one is stopped', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      const works = async (key: string) => (await call('folders.contents', {}, key)).code === 0
      const old = (await data<{ key: string }>('apiKeys.create', { key_name: 'site' }, user.token)).key
      await openKeys(page, user, signIn, at('/key'))
      await page.getByRole('button', { name: k.rotateOf('site') }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('radio', { name: f.oneDay })).toBeChecked()
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: f.rotate }).click()
      await expect(dialog.getByText(t.keys.onceText)).toBeVisible()
      const fresh = await shownKey(page)
      expect(fresh).toMatch(/^tnk_/)
      expect(fresh).not.toBe(old)
      await dialog.getByRole('button', { name: t.keys.kept }).click()
      await expect(page.getByText(fresh)).toBeHidden()
      expect([await works(old), await works(fresh)]).toEqual([true, true])

      const row = rowOf(page, 'site')
      await expect(row).toContainText(`${old.slice(0, 8)}…`)
      await row.getByRole('button', { name: k.endFormer }).click()
      await dialog.getByRole('button', { name: k.endFormer }).click()
      await expect(row.getByRole('button', { name: k.endFormer })).toBeHidden()
      await expect.poll(() => works(old)).toBe(false)
      expect(await works(fresh)).toBe(true)

      await test.step('at once, when the key leaked', async () => {
        await page.getByRole('button', { name: k.rotateOf('site') }).click()
        await dialog.getByRole('radio', { name: f.notAtAll }).click()
        await dialog.getByRole('button', { name: f.rotate }).click()
        await expect(dialog.getByText(f.previousEnded)).toBeVisible()
        const last = await shownKey(page)
        await expect.poll(() => works(fresh)).toBe(false)
        expect(await works(last)).toBe(true)
      })
    })
  })
