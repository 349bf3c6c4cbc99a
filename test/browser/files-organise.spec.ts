import type { Page } from '@playwright/test'
import {
  accessibilityViolations,
  act,
  data,
  expect,
  filesWords,
  type TestUser,
  test,
  uploadTo,
  viewsFor,
} from './test-env.ts'

type Words = ReturnType<typeof filesWords>

const folder = async (user: TestUser, name: string, parent = 0): Promise<number> =>
  (await data<{ group: { ID: number } }>('folders.create', { name, parent }, user.token)).group.ID

/** Uploads small files on the open page. */
async function upload(page: Page, t: Parameters<typeof uploadTo>[1], files: { path: string }[]): Promise<void> {
  const w = filesWords(t)
  await uploadTo(
    page,
    t,
    'files',
    files.map(({ path }) => path),
  )
  const queue = page.getByRole('region', { name: w.transfers.queueTitle })
  await expect(queue).toContainText(w.transfers.queueDone(files.length), { timeout: 30_000 })
  await page.getByRole('button', { name: w.transfers.clear }).click()
}

const file = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const selected = (page: Page, w: Words, count: number) => page.getByText(w.files.selected(count), { exact: true })

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })

    test('restores deleted files by undo and from the trash, or deletes them permanently', async ({
      page,
      user,
      signIn,
      at,
      file: make,
      t,
    }) => {
      const w = filesWords(t)
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await upload(page, t, [make('kept.txt', Buffer.from('kept'))])
      await act(page, t, 'kept.txt', w.files.toTrash)
      await expect(file(page, 'kept.txt')).toBeHidden()
      await page.getByRole('button', { name: w.files.undo }).click()
      await expect(file(page, 'kept.txt')).toBeVisible()

      await act(page, t, 'kept.txt', w.files.toTrash)
      await page.getByRole('link', { name: w.trash.open }).click()
      await expect(page.getByRole('heading', { name: w.trash.title })).toBeVisible()
      await expect(page.getByText(w.trash.left(29)).filter({ visible: true })).toHaveCount(1)
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: `${w.trash.restore}: kept.txt` }).click()
      await expect(page.getByText(w.trash.emptyTitle)).toBeVisible()
      await page.getByRole('link', { name: w.trash.back }).click()
      await expect(file(page, 'kept.txt')).toBeVisible()

      await act(page, t, 'kept.txt', w.files.toTrash)
      await page.getByRole('link', { name: w.trash.open }).click()
      await page.getByRole('button', { name: w.trash.empty }).click()
      await page.getByRole('dialog').getByRole('button', { name: w.trash.empty }).click()
      await expect(page.getByText(w.trash.emptyTitle)).toBeVisible()
      expect((await data<{ total: number }>('trash.list', {}, user.token)).total).toBe(0)
    })

    test('searches files by name in all folders, and shows thumbnails', async ({
      page,
      visitor,
      user,
      signIn,
      at,
      file: make,
      t,
    }) => {
      const w = filesWords(t)
      const deep = await folder(user, 'Küste', await folder(user, 'Reisen'))
      await signIn(page, user)
      await page.goto(at(`/fileStorage?folder=${deep}`))
      const picture = Buffer.concat([
        Buffer.from(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          'base64',
        ),
        // A file that is smaller than its thumbnail has none kept.
        Buffer.alloc(9000),
      ])
      await upload(page, t, [make('Ebbe 潮.png', picture), make('notes.txt', Buffer.from('n'))])
      await page.goto(at('/fileStorage'))
      await page.getByRole('searchbox', { name: w.view.search }).fill('ebbe')
      await expect(file(page, 'Ebbe 潮.png')).toBeVisible()
      await expect(page.getByText(w.view.in(`${w.files.root} / Reisen / Küste`))).toBeVisible()
      await expect(file(page, 'notes.txt')).toBeHidden()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.reload()
      await expect(file(page, 'Ebbe 潮.png')).toBeVisible()
      await page.getByRole('button', { name: w.view.grid }).click()
      await expect(page.locator('img[src^="blob:"]')).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      // In another browser the portal gives it: nothing is downloaded from nodes.
      const other = await visitor()
      const elsewhere: string[] = []
      other.on('request', (request) => {
        if (/^http/.test(request.url()) && !request.url().startsWith(at('/'))) elsewhere.push(request.url())
      })
      await signIn(other, user)
      await other.goto(at(`/fileStorage?folder=${deep}`))
      await other.getByRole('button', { name: w.view.grid }).click()
      await expect(other.locator('img[src^="blob:"]')).toBeVisible()
      expect(elsewhere).toEqual([])
      await page.getByRole('searchbox', { name: w.view.search }).fill('nowhere')
      await expect(page.getByText(w.view.noResultsTitle('nowhere'))).toBeVisible()
    })

    test('reaches every page with the command palette', async ({ page, user, signIn, at, t }) => {
      const w = filesWords(t)
      await folder(user, 'Lighthouse')
      await signIn(page, user)
      await page.goto(at('/dashboard'))
      // Until then the page is prerendered only.
      await expect(page.locator('[data-prerendered]')).toHaveCount(0)
      const palette = page.getByRole('dialog', { name: w.palette.title })
      await page.keyboard.press('Control+k')
      await expect(palette).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.keyboard.type('lightho')
      await expect(palette.getByRole('option', { name: /Lighthouse/ })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('navigation', { name: w.files.path })).toContainText('Lighthouse')
      await page.keyboard.press('Control+k')
      await expect(palette).toBeVisible()
      await page.keyboard.type(w.palette.trash)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: w.trash.title })).toBeVisible()
    })

    test('checks a replica in the browser', { tag: '@long' }, async ({ page, user, signIn, at, file: make, t }) => {
      const w = filesWords(t)
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await upload(page, t, [make('proof.bin', 1_500_000)])
      await act(page, t, 'proof.bin', w.files.details)
      const details = page.getByRole('dialog')
      const challenge = details.getByRole('button', {
        name: new RegExp(w.details.challengeOne('').trim().split(' ')[0] ?? ''),
      })
      await challenge.first().click()
      await expect(details.getByText(new RegExp(`^${w.details.proved('\\d+ ms')}$`))).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
    })
  })

test.describe('with a mouse and a keyboard', () => {
  test.beforeEach(async ({ page, user, signIn, at, file: make, t }) => {
    await folder(user, 'Harbour')
    await signIn(page, user)
    await page.goto(at('/fileStorage'))
    await upload(
      page,
      t,
      ['a', 'b', 'c', 'd'].map((name) => make(`${name}.txt`, Buffer.from(`file ${name}`))),
    )
    await page.goto(at('/fileStorage?sort=name'))
    await expect(file(page, 'a.txt')).toBeVisible()
  })
  const row = (page: Page, name: string) => page.getByRole('row').filter({ has: file(page, name) })

  test('selects rows one by one, in ranges and all', { tag: '@long' }, async ({ page, t }) => {
    const w = filesWords(t)
    const beside = { position: { x: 400, y: 20 } }
    await row(page, 'a.txt').click(beside)
    await expect(selected(page, w, 1)).toBeVisible()
    await row(page, 'c.txt').click({ ...beside, modifiers: ['Shift'] })
    await expect(selected(page, w, 3)).toBeVisible()
    await row(page, 'b.txt').click({ ...beside, modifiers: ['ControlOrMeta'] })
    await expect(selected(page, w, 2)).toBeVisible()
    await file(page, 'a.txt').focus()
    await page.keyboard.press('Control+a')
    await expect(selected(page, w, 5)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('toolbar')).toBeHidden()
  })

  test('navigates, selects, renames and deletes by keyboard', async ({ page, t }) => {
    const w = filesWords(t)
    await page.getByRole('link', { name: 'Harbour' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(file(page, 'a.txt')).toBeFocused()
    await page.keyboard.press(' ')
    await page.keyboard.press('Shift+ArrowDown')
    await expect(selected(page, w, 2)).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('F2')
    await page.getByLabel(w.files.newName).fill('bb.txt')
    await page.keyboard.press('Enter')
    await expect(file(page, 'bb.txt')).toBeVisible()
    await file(page, 'bb.txt').focus()
    await page.keyboard.press('Delete')
    await expect(file(page, 'bb.txt')).toBeHidden()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: w.shortcuts.title })).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name: w.view.search })).toBeFocused()
  })

  test('drags rows onto a folder and undoes the move', { tag: '@long' }, async ({ page, t }) => {
    const w = filesWords(t)
    await page.getByRole('checkbox', { name: w.files.select('a.txt') }).click()
    await page.getByRole('checkbox', { name: w.files.select('b.txt') }).click()
    await row(page, 'a.txt').dragTo(page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Harbour' }) }))
    await expect(file(page, 'a.txt')).toBeHidden()
    await expect(file(page, 'b.txt')).toBeHidden()
    await expect(file(page, 'c.txt')).toBeVisible()
    await page.getByRole('button', { name: w.files.undo }).click()
    await expect(file(page, 'a.txt')).toBeVisible()
  })

  test('filters and sorts a list, and keeps both in the URL', { tag: '@long' }, async ({ page, t }) => {
    const w = filesWords(t)
    await page.getByRole('button', { name: w.view.filters(0) }).click()
    await page.getByRole('menuitemradio', { name: w.view.kinds.group, exact: true }).click()
    await expect(file(page, 'a.txt')).toBeHidden()
    await expect(page.getByRole('link', { name: 'Harbour' })).toBeVisible()
    await expect(page).toHaveURL(/kind=group/)
    await page.getByRole('button', { name: w.view.filters(1) }).click()
    await page.getByRole('menuitemradio', { name: w.view.kinds.image, exact: true }).click()
    await expect(page.getByText(w.view.noMatchTitle)).toBeVisible()
    await page.getByRole('button', { name: w.view.clearFilter }).click()
    await page.getByRole('columnheader', { name: t.words.name }).getByRole('button').click()
    await page.getByRole('columnheader', { name: t.words.name }).getByRole('button').click()
    await expect(page.getByRole('columnheader', { name: t.words.name })).toHaveAttribute('aria-sort', 'descending')
    await expect(page.getByRole('row').nth(2)).toContainText('d.txt')
  })
})
