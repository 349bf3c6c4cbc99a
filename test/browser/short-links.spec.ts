import { randomBytes } from 'node:crypto'
import { requestFromElsewhere, share, test, waitForReplicas } from './share-helpers.ts'
import {
  accessibilityViolations,
  act,
  codeFor,
  countClicks,
  data,
  downloaded,
  expect,
  filesWords,
  freshEmail,
  typeCode,
  uploadTo,
  viewsFor,
} from './test-env.ts'

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })

    test('one click creates a link and copies it; visitors see neither content nor account in its address', async ({
      page,
      visitor,
      user,
      signIn,
      file,
      at,
      t,
      w,
    }) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      const { path } = file('photo.txt', Buffer.from('a short text'))
      await uploadTo(page, t, 'files', path)
      await expect(page.getByRole('button', { name: 'photo.txt', exact: true })).toBeVisible()
      await page.getByRole('button', { name: filesWords(t).transfers.clear }).click()
      const clicks = await countClicks(page)
      await act(page, t, 'photo.txt', filesWords(t).files.share)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: w.links.dialog.days(7) }).click()
      expect(await clicks()).toBe(3)
      const url = (await dialog.locator('code').first().getAttribute('title')) ?? ''
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
      await dialog.getByRole('button', { name: w.links.link.actions('photo.txt') }).click()
      await page.getByRole('menuitem', { name: w.links.link.share }).click()
      await expect(dialog.getByRole('img', { name: w.links.extras.qr })).toBeVisible()
      await expect(dialog.getByText('<iframe')).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      const friend = await visitor()
      await friend.goto(url)
      await expect(friend.getByRole('heading', { name: 'photo.txt' })).toBeVisible()
      expect(friend.url()).toBe(url)
      expect(await friend.content()).not.toContain(user.uid)
      expect(await accessibilityViolations(friend)).toEqual([])
      // Neither does the address of its preview, also after reloading, nor what the history has.
      const { list } = await data<{ list: { item: { cid: string } }[] }>('shortLinks.list', {}, user.token)
      const cid = list[0]?.item.cid ?? ''
      await friend.getByRole('link', { name: w.shares.actions.preview, exact: true }).click()
      await expect(friend.getByText('a short text')).toBeVisible()
      await friend.reload()
      await expect(friend.getByText('a short text')).toBeVisible()
      for (const secret of [cid, user.uid]) expect(friend.url()).not.toContain(secret)
      expect(new URL(friend.url()).search).not.toContain('s%3A')
      await friend.getByRole('link', { name: w.preview.back, exact: true }).click()
      await expect(friend.getByRole('heading', { name: 'photo.txt' })).toBeVisible()
      expect(friend.url()).toBe(url)
      const button = friend.getByRole('button', { name: w.shares.actions.download, exact: true })
      expect((await downloaded(friend, () => button.click())).bytes.toString()).toBe('a short text')
      await friend.goto(at(`/td-distributionstatus?link=${url.split('/').at(-1)}`))
      await expect(friend.getByRole('heading', { name: 'photo.txt' })).toBeVisible()
    })

    test('a folder opens by a short link, with previews and subfolders', async ({ visitor, user, at, w }) => {
      const { group } = await data<{ group: { ID: number } }>('folders.create', { name: 'harbour' }, user.token)
      await share(user, 'log.md', Buffer.from('# Log of the harbour'), { folder: group.ID })
      const { url } = await data<{ url: string }>('shortLinks.create', { cid: String(group.ID) }, user.token)
      const friend = await visitor()
      await friend.goto(url)
      await expect(friend.getByRole('heading', { name: 'harbour' })).toBeVisible()
      await friend.getByRole('link', { name: w.shares.folder.preview('log.md') }).click()
      await expect(friend.getByRole('heading', { name: 'Log of the harbour' })).toBeVisible()
      expect(friend.url()).toBe(url)
      await friend.goBack()
      await expect(friend.getByRole('heading', { name: 'Log of the harbour' })).toBeHidden()
      await friend.goForward()
      await expect(friend.getByRole('heading', { name: 'Log of the harbour' })).toBeVisible()
      await friend.goto(at('/share'))
      await friend.getByLabel(w.shares.resolver.label).fill(url)
      await friend.getByRole('button', { name: w.shares.resolver.open, exact: true }).click()
      await expect(friend.getByRole('heading', { name: 'harbour' })).toBeVisible()
    })

    test('visitors download a shared folder as an archive, within the downloads of the link', async ({
      visitor,
      user,
      t,
      w,
    }) => {
      const { group } = await data<{ group: { ID: number } }>('folders.create', { name: 'harbour' }, user.token)
      const cid = String(group.ID)
      const bytes = randomBytes(3000)
      const one = await share(user, 'log.bin', bytes, { folder: group.ID })
      const two = await share(user, 'other.bin', randomBytes(2000), { folder: group.ID })
      for (const file of [one, two]) await waitForReplicas(user, file.cid, 1)
      const terms = { cid, max_downloads: 1 }
      const { id, url } = await data<{ id: string; url: string }>('shortLinks.create', terms, user.token)
      const friend = await visitor()
      await friend.goto(url)
      await expect(friend).toHaveTitle(/harbour/)
      const bar = friend.getByRole('toolbar', { name: w.shares.folder.whole })
      await expect(bar).toBeVisible()
      await expect(friend.getByText(w.shares.folder.linkLeaves(1))).toBeVisible()
      expect(await accessibilityViolations(friend)).toEqual([])

      await friend.getByRole('checkbox', { name: w.shares.folder.select('log.bin') }).press('Space')
      const chosen = friend.getByRole('toolbar', { name: w.shares.folder.selected(1) })
      const saved = await downloaded(friend, () =>
        chosen.getByRole('button', { name: w.shares.folder.asTar }).press('Enter'),
      )
      expect(saved.name).toBe('harbour.tar')
      expect(saved.bytes.subarray(512, 512 + bytes.length).equals(bytes)).toBe(true)
      await expect(friend.getByText(w.shares.theatre.stage.done)).toBeVisible()
      await expect(friend.getByText(w.shares.folder.linkLeaves(0))).toBeVisible()
      expect(await accessibilityViolations(friend)).toEqual([])

      // The same visitor may repeat a download; the second file would be one more, and is left out.
      await chosen.getByRole('button', { name: w.shares.folder.clear }).click()
      const rest = await downloaded(friend, () => bar.getByRole('button', { name: w.shares.folder.asZip }).click())
      expect(rest.bytes.includes('harbour/log.bin')).toBe(true)
      expect(rest.bytes.includes('other.bin')).toBe(false)
      await expect(friend.getByText(filesWords(t).transfers.savedWithout(1))).toBeVisible()

      // A change of the link ends the share token that the page has, as an hour does: the download opens the link again.
      await data('shortLinks.update', { id, max_downloads: 2 }, user.token)
      const token = url.split('/').at(-1) ?? ''
      const opened = await data<{ user_id: string; ticket: string }>('shortLinks.open', { token, password: '' }, '')
      const all = await downloaded(friend, () => bar.getByRole('button', { name: w.shares.folder.asZip }).click())
      for (const name of ['log.bin', 'other.bin']) expect(all.bytes.includes(`harbour/${name}`)).toBe(true)

      // Another visitor gets nothing, also if they opened the link before.
      const wanted = { user_id: opened.user_id, asset_cid: one.cid, group_id: cid }
      expect(await requestFromElsewhere({ ...wanted, ticket: opened.ticket })).toMatchObject({ err: 2064 })
      expect(await requestFromElsewhere(wanted)).toMatchObject({ err: 2059 })
    })

    test('a link for certain e-mail addresses opens with a code, and says nothing to others', { tag: '@long' }, async ({
      page,
      visitor,
      user,
      signIn,
      at,
      t,
      w,
    }) => {
      const { cid } = await share(user, 'plan.txt', Buffer.from('for two people'))
      await data('shares.setStatus', { cid, status: 0 }, user.token)
      const reader = freshEmail()
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await act(page, t, 'plan.txt', filesWords(t).files.share)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: w.links.dialog.options }).click()
      const field = dialog.getByRole('textbox', { name: w.links.form.emails })
      await field.fill(`${reader}, nobody`)
      await dialog.getByRole('button', { name: w.links.dialog.days(7) }).click()
      await expect(dialog.getByText(w.links.form.emailFormat('nobody'))).toBeVisible()
      await expect(field).toHaveValue(`${reader}, nobody`)
      await field.fill(reader)
      await dialog.getByRole('button', { name: w.links.dialog.days(7) }).click()
      await expect(dialog.getByText(reader)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      const url = (await dialog.locator('code').first().getAttribute('title')) ?? ''

      const friend = await visitor()
      await friend.goto(url)
      await expect(friend.getByRole('heading', { name: w.shares.email.title })).toBeVisible()
      await expect(friend.getByText('plan.txt')).toHaveCount(0)
      expect(await accessibilityViolations(friend)).toEqual([])
      await friend.getByRole('textbox', { name: t.accounts.email }).fill(reader)
      await friend.getByRole('button', { name: t.accounts.sendCode }).click()
      await expect(friend.getByText(w.shares.email.sent(reader))).toBeVisible()
      await typeCode(friend, t, await codeFor(reader))
      await friend.getByRole('button', { name: w.shares.email.open, exact: true }).click()
      await expect(friend.getByRole('heading', { name: 'plan.txt' })).toBeVisible()
      // The proof lasts as long as the tab, until the list changes.
      await friend.reload()
      await expect(friend.getByRole('heading', { name: 'plan.txt' })).toBeVisible()
      const { list } = await data<{ list: { id: string }[] }>('shortLinks.list', { cid }, user.token)
      await data('shortLinks.update', { id: list[0]?.id ?? '', emails: ['other@mail.test'] }, user.token)
      await friend.reload()
      await expect(friend.getByRole('heading', { name: w.shares.email.title })).toBeVisible()
    })

    test('a folder receives files of visitors, who see only its name', async ({
      page,
      visitor,
      user,
      signIn,
      file,
      at,
      t,
      w,
    }) => {
      const name = `inbox ${view.name}`
      const { group } = await data<{ group: { ID: number } }>('folders.create', { name }, user.token)
      await share(user, 'secret.txt', Buffer.from('not for visitors'), { folder: group.ID })
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await act(page, t, name, filesWords(t).files.share)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio', { name: w.links.dialog.forUploads }).click()
      const files = dialog.getByRole('textbox', { name: w.links.form.uploadFiles })
      await files.fill('0')
      await dialog.getByRole('button', { name: w.links.dialog.days(7) }).click()
      await expect(dialog.getByText(w.links.form.uploadFilesFormat(10_000))).toBeVisible()
      await files.fill('2')
      await dialog.getByRole('button', { name: w.links.dialog.days(7) }).click()
      await expect(dialog.getByRole('listitem').getByText(w.links.link.receives)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      const url = (await dialog.locator('code').first().getAttribute('title')) ?? ''

      const friend = await visitor()
      await friend.goto(url)
      await expect(friend.getByRole('heading', { name: w.uploadLink.title(name) })).toBeVisible()
      expect(await accessibilityViolations(friend)).toEqual([])
      const one = file('photo.txt', Buffer.from('first')).path
      await friend.getByTestId('upload-by-link').setInputFiles([one])
      await expect(friend.getByText(w.uploadLink.done(1))).toBeVisible()
      await friend.getByTestId('upload-by-link').setInputFiles([file('photo.txt', Buffer.from('second')).path])
      await expect(friend.getByText(w.uploadLink.done(2))).toBeVisible()
      // The link is full; what was chosen stays, with the reason.
      await friend.getByTestId('upload-by-link').setInputFiles([file('third.txt', Buffer.from('third')).path])
      await expect(friend.getByRole('listitem').getByRole('alert')).toBeVisible()
      await expect(friend.getByText('third.txt', { exact: true })).toBeVisible()
      expect(await accessibilityViolations(friend)).toEqual([])
      for (const secret of ['secret.txt', user.uid]) expect(await friend.content()).not.toContain(secret)
      const { list } = await data<{ list: { AssetOverview: { UserAssetDetail: { AssetName: string } } }[] }>(
        'folders.contents',
        { parent: group.ID, page: 1, page_size: 10 },
        user.token,
      )
      const names = list.map(({ AssetOverview }) => AssetOverview.UserAssetDetail.AssetName)
      expect(names.sort()).toEqual(['photo (2).txt', 'photo.txt', 'secret.txt'])
      await page.goto(at('/links'))
      await expect(page.locator('main li').filter({ hasText: name }).first()).toContainText(w.links.link.states.used_up)
    })

    test('the page of all links finds links, and revoking one can be undone', async ({
      page,
      user,
      signIn,
      at,
      t,
      w,
    }) => {
      const { cid } = await share(user, 'tides.csv', randomBytes(2000))
      await data(
        'shortLinks.create',
        { cid, note: 'for the printer', short_pass: 'Ebb123', max_downloads: 5 },
        user.token,
      )
      const { group } = await data<{ group: { ID: number } }>('folders.create', { name: 'maps' }, user.token)
      await data('shortLinks.create', { cid: String(group.ID) }, user.token)
      await signIn(page, user)
      await page.goto(at('/links'))
      await expect(page.getByRole('heading', { name: t.pages.links })).toBeVisible()
      const items = page.locator('main li').filter({ has: page.locator('code') })
      await expect(items).toHaveCount(3)
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('searchbox').fill('printer')
      await expect(items).toHaveCount(1)
      await expect(items.first()).toContainText('Ebb123')
      const clicks = await countClicks(page)
      await page.getByRole('button', { name: w.links.link.actions('tides.csv') }).click()
      await page.getByRole('menuitem', { name: w.links.link.revoke }).click()
      await expect(page.getByText(w.links.page.noneTitle)).toBeVisible()
      await page.getByRole('button', { name: w.links.link.undo }).click()
      await expect(items).toHaveCount(1)
      expect(await clicks()).toBe(3)
      await page.getByRole('button', { name: w.links.link.actions('tides.csv') }).click()
      await page.getByRole('menuitem', { name: w.links.link.turnOff }).click()
      await expect(items.first()).toContainText(w.links.link.states.off)

      // Long after the message with Undo, by keyboard.
      await page.getByRole('button', { name: w.links.link.actions('tides.csv') }).click()
      await page.getByRole('menuitem', { name: w.links.link.revoke }).click()
      // Leaving the page at once would cancel the request.
      await expect(page.getByText(w.links.page.noneTitle)).toBeVisible()
      await page.goto(at('/links'))
      await page.getByRole('link', { name: w.links.page.showRevoked }).press('Enter')
      await expect(items).toHaveCount(1)
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: w.links.link.restoreOf('tides.csv') }).press('Enter')
      await expect(items).toHaveCount(0)
      await page.getByRole('link', { name: w.links.page.showOthers }).press('Enter')
      await expect(items).toHaveCount(3)
    })
  })
