import type { Frame, Page } from '@playwright/test'
import { serveHtml, share, shareItem, test, uploadFolder } from './share-helpers.ts'
import { accessibilityViolations, data, expect, viewsFor } from './test-env.ts'

/** Another site that embeds a share. @returns the frame, and a function that sets its height */
async function framed(page: Page, address: string, width: number, height: number) {
  const site = await serveHtml(
    `<!doctype html><title>elsewhere</title><body style="margin:0"><iframe width="${width}" height="${height}" src="${address.replaceAll('&', '&amp;')}"></iframe>`,
  )
  await page.goto(site.url)
  const frame = (): Frame => {
    const [, found] = page.frames()
    if (!found) throw new Error('there is no frame')
    return found
  }
  return {
    frame,
    grow: (to: number) =>
      page.locator('iframe').evaluate((element, size) => element.setAttribute('height', size), `${to}`),
    close: site.close,
  }
}

const overflows = (frame: Frame) =>
  frame.evaluate(() => {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement
    return [scrollHeight > clientHeight, scrollWidth > clientWidth]
  })

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const width = Math.min(600, view.width)

    test('an embedded uploaded folder shows as many entries as fit', async ({ visitor, user, at, w }) => {
      const names = Array.from({ length: 30 }, (_, index) => `reading ${index + 1}.txt`)
      const cid = await uploadFolder(user, {
        ...Object.fromEntries(names.map((name) => [`Survey/${name}`, Buffer.from(name.padEnd(1234))])),
        'Survey/log/all.txt': Buffer.from('all'),
      })
      const { search } = await shareItem(user, cid, 'folder')
      const friend = await visitor()
      const { frame, grow, close } = await framed(friend, at(`/td-distributionstatus${search}`), width, 520)
      const list = frame().getByRole('list', { name: w.preview.inside.label('Survey') })
      const rows = list.getByRole('listitem')
      await expect(rows.nth(0)).toContainText('log')
      await expect(rows.nth(1)).toContainText(/reading 1\.txt.*1\.\d+ (KiB|KB)/)
      const shown = await rows.count()
      expect(shown).toBeGreaterThan(3)
      const more = list.getByRole('link')
      await expect(more).toHaveText(w.shares.embedded.more(String(31 - (shown - 1))))
      await expect(more).toHaveAttribute('href', `/distributionstatus${search}`)
      await expect(more).toHaveAttribute('target', '_blank')
      expect(await overflows(frame())).toEqual([false, false])
      await grow(900)
      await expect.poll(() => rows.count()).toBeGreaterThan(shown + 5)
      await expect.poll(() => overflows(frame())).toEqual([false, false])
      await close()

      await friend.goto(at(`/td-distributionstatus${search}`))
      await expect(friend.getByRole('list', { name: w.preview.inside.label('Survey') })).toBeVisible()
      expect(await accessibilityViolations(friend)).toEqual([])
    })

    test('shows all entries without a link for more if they fit', { tag: '@long' }, async ({
      visitor,
      user,
      at,
      w,
    }) => {
      const cid = await uploadFolder(user, { 'Few/a.txt': Buffer.from('a'), 'Few/b.txt': Buffer.from('b') })
      const { search } = await shareItem(user, cid, 'folder')
      const friend = await visitor()
      await friend.goto(at(`/td-distributionstatus${search}`))
      const list = friend.getByRole('list', { name: w.preview.inside.label('Few') })
      await expect(list.getByRole('listitem')).toContainText(['a.txt', 'b.txt'])
      await expect(list.getByRole('link')).toHaveCount(0)
    })

    test('an embedded shared folder shows its first entries', { tag: '@long' }, async ({ visitor, user, at, w }) => {
      const folder = async (name: string, parent: number) =>
        (await data<{ group: { ID: number } }>('folders.create', { name, parent }, user.token)).group.ID
      const coast = await folder('Coast', 0)
      await folder('North', coast)
      for (let index = 0; index < 8; index++)
        await share(user, `cliff ${index}.txt`, Buffer.from(`${index} ${user.uid}`), { folder: coast })
      const { search } = await shareItem(user, String(coast), 'folder')
      const friend = await visitor()
      const { frame, close } = await framed(friend, at(`/td-distributionstatus${search}`), width, 420)
      await expect(frame().getByRole('heading', { name: 'Coast' })).toBeVisible()
      const list = frame().getByRole('list', { name: w.preview.inside.label('Coast') })
      await expect(list.getByRole('listitem').first()).toContainText('North')
      const shown = (await list.getByRole('listitem').count()) - 1
      await expect(list.getByRole('link')).toHaveText(w.shares.embedded.more(String(9 - shown)))
      await expect(list.getByRole('link')).toHaveAttribute('href', `/groupPreview${search}`)
      expect(await overflows(frame())).toEqual([false, false])
      await close()
      await friend.goto(at(`/td-distributionstatus${search}`))
      await expect(friend.getByRole('heading', { name: 'Coast' })).toBeVisible()
      await expect(friend.getByRole('link', { name: w.shares.embedded.openFull })).toHaveAttribute(
        'href',
        `/groupPreview${search}`,
      )
      expect(await accessibilityViolations(friend)).toEqual([])
    })

    test('rejects the list without the password, and of a folder that is not shared', { tag: '@long' }, async ({
      visitor,
      user,
      at,
      w,
    }) => {
      const cid = await uploadFolder(user, { 'Locked/a.txt': Buffer.from('a'), 'Locked/b.txt': Buffer.from('b') })
      const { search } = await shareItem(user, cid, 'folder', { short_pass: 'Ebb123' })
      const friend = await visitor()
      await friend.goto(at(`/td-distributionstatus${search}`))
      await expect(friend.getByRole('heading', { name: w.shares.password.title })).toBeVisible()
      await expect(friend.getByText('a.txt')).toHaveCount(0)
      await friend.getByLabel(w.shares.password.label).fill('Ebb123')
      await friend.getByRole('button', { name: w.shares.password.open, exact: true }).click()
      await expect(friend.getByText('a.txt')).toBeVisible()

      await data('shares.setStatus', { cid, status: 0 }, user.token)
      const stranger = await visitor()
      await stranger.goto(at(`/td-distributionstatus${search}`))
      await expect(stranger.getByRole('heading', { name: w.shares.states.gone })).toBeVisible()
      await stranger.goto(at(`/td-distributionstatus?cid=999999&AssetType=folder&address=${user.uid}`))
      await expect(stranger.getByRole('heading', { name: w.shares.states.gone })).toBeVisible()
    })
  })
