import { randomBytes } from 'node:crypto'
import { createStorage } from '@tidenet/storage'
import { share, shareItem, test, uploadFolder } from './share-helpers.ts'
import { accessibilityViolations, act, data, downloaded, expect, filesWords, viewsFor } from './test-env.ts'

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })

    test('shows a shared folder with its subfolders, to its owner as to others', { tag: '@long' }, async ({
      page,
      visitor,
      user,
      signIn,
      at,
      w,
    }) => {
      const folder = async (name: string, parent: number) =>
        (await data<{ group: { ID: number } }>('folders.create', { name, parent }, user.token)).group.ID
      const outer = await folder('Coast', 0)
      const inner = await folder('North', outer)
      const bytes = randomBytes(5000)
      await share(user, 'cliff.txt', bytes, { folder: inner })
      const { search, id } = await shareItem(user, String(outer), 'folder')

      const friend = await visitor()
      await friend.goto(at(`/groupPreview${search}`))
      await expect(friend.getByRole('heading', { name: 'Coast' })).toBeVisible()
      expect(await accessibilityViolations(friend)).toEqual([])
      await friend.getByRole('button', { name: /North/ }).click()
      const button = friend.getByRole('button', { name: w.shares.folder.download('cliff.txt') })
      const saved = await downloaded(friend, () => button.click())
      expect(saved.bytes.equals(bytes)).toBe(true)
      await friend.getByRole('link', { name: w.shares.folder.preview('cliff.txt') }).click()
      await expect(friend).toHaveURL(/[?&]preview=/)
      await expect(friend.getByRole('dialog', { name: 'cliff.txt' })).toBeVisible()
      await friend.goBack()
      await expect(friend.getByRole('dialog')).toHaveCount(0)

      await friend.goto(at(`/share?id=${id}`))
      await expect(friend.getByRole('heading', { name: 'Coast' })).toBeVisible()

      await friend.goto(at(`/group?cid=${outer}`))
      await expect(friend.getByText(w.shares.folder.signIn)).toBeVisible()
      await signIn(page, user)
      await page.goto(at(`/group?cid=${outer}`))
      await expect(page.getByRole('heading', { name: 'Coast' })).toBeVisible()
      await expect(page.getByText(w.shares.owner.sharedFolder)).toBeVisible()
    })

    test('asks once for the password, also when its access has to be renewed', async ({ visitor, user, at, w }) => {
      const folder = async (name: string, parent: number) =>
        (await data<{ group: { ID: number } }>('folders.create', { name, parent }, user.token)).group.ID
      const outer = await folder('Coast', 0)
      await folder('North', outer)
      const { search } = await shareItem(user, String(outer), 'folder', { short_pass: 'Ebb123' })
      const friend = await visitor()
      // The first token is as good as one that is an hour old.
      let opened = 0
      await friend.route(/\/check_share/, async (route) => {
        const response = await route.fetch()
        const json = await response.json()
        if (json.code === 0 && ++opened === 1) json.data.ticket += 'x'
        await route.fulfill({ response, json })
      })
      await friend.goto(at(`/groupPreview${search}`))
      await friend.getByLabel(w.shares.password.label).fill('Ebb123')
      await friend.getByRole('button', { name: w.shares.password.open, exact: true }).click()
      await expect(friend.getByRole('button', { name: /North/ })).toBeVisible()
      await expect(friend.getByLabel(w.shares.password.label)).toHaveCount(0)
      expect(opened).toBe(2)
    })

    test('lists an uploaded folder and downloads its entries, only with the password', async ({
      page,
      visitor,
      user,
      signIn,
      at,
      t,
      w,
    }) => {
      const bytes = randomBytes(700_000)
      const readings = Array.from(
        { length: 1200 },
        (_, index) => [`Survey/log/reading ${index + 1}.txt`, index] as const,
      )
      const cid = await uploadFolder(user, {
        'Survey/notes.txt': Buffer.from('depths in metres'),
        'Survey/sound 10.bin': randomBytes(2000),
        'Survey/sound 9.bin': randomBytes(2000),
        'Survey/photos/#1 北 100%.bin': bytes,
        ...Object.fromEntries(readings.map(([path, index]) => [path, Buffer.from(`${index}`)])),
      })
      const { search } = await shareItem(user, cid, 'folder', { short_pass: 'Ebb123' })
      const { inside } = w.preview
      const friend = await visitor()
      await friend.goto(at(`/distributionstatus${search}`))
      await friend.getByLabel(w.shares.password.label).fill('Ebb123')
      await friend.getByRole('button', { name: w.shares.password.open, exact: true }).click()

      const list = friend.getByRole('list', { name: inside.label('Survey') })
      const names = list.getByRole('listitem')
      await expect(names).toContainText(['log', 'photos', 'notes.txt', 'sound 9.bin', 'sound 10.bin'])
      await expect(friend.getByText(inside.checked)).toBeVisible()
      expect(await accessibilityViolations(friend)).toEqual([])

      await list.getByRole('button', { name: 'photos', exact: true }).click()
      await expect(friend).toHaveURL(/[?&]path=photos/)
      const button = friend.getByRole('button', { name: inside.download('#1 北 100%.bin') })
      const saved = await downloaded(friend, () => button.click())
      expect(saved.name).toBe('#1 北 100%.bin')
      expect(saved.bytes.equals(bytes)).toBe(true)
      await expect(friend.getByText('photos/#1 北 100%.bin')).toBeVisible()
      await friend.goBack()

      // A sharded directory; only visible rows are rendered.
      await list.getByRole('button', { name: 'log', exact: true }).click()
      await expect(friend.getByText(inside.items('1,200', false))).toBeVisible()
      expect(await friend.getByRole('listitem').filter({ hasText: 'reading' }).count()).toBeLessThan(100)
      await friend.getByLabel(inside.filter).fill('READING 1200')
      await friend.getByRole('link', { name: 'reading 1200.txt', exact: true }).click()
      await expect(friend).toHaveURL(/\/preview\?/)
      await expect(friend.getByRole('heading', { name: 'reading 1200.txt' })).toBeVisible()
      await expect(friend.getByText('1199', { exact: true })).toBeVisible()
      await friend.getByRole('link', { name: inside.toFolder, exact: true }).click()
      await expect(friend.getByText(inside.items('1,200', false))).toBeVisible()

      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await act(page, t, 'Survey', filesWords(t).files.details)
      const drawer = page.getByRole('dialog')
      await drawer.getByRole('button', { name: 'photos', exact: true }).click()
      const own = drawer.getByRole('button', { name: inside.download('#1 北 100%.bin') })
      expect((await downloaded(page, () => own.click())).bytes.equals(bytes)).toBe(true)

      const stranger = await visitor()
      const asked: string[] = []
      stranger.on('request', (request) => {
        if (new URL(request.url()).pathname.startsWith('/ipfs/')) asked.push(request.url())
      })
      for (const path of [`/distributionstatus${search}`, `/preview?cid=${cid}&address=${user.uid}&path=log`]) {
        await stranger.goto(at(path))
        await expect(stranger.getByRole('heading', { name: w.shares.password.title })).toBeVisible()
        await expect(stranger.getByText('notes.txt')).toHaveCount(0)
      }
      expect(asked).toEqual([])
      const nobody = createStorage({ url: at(''), lang: 'en' })
      expect(await nobody.listFolder(cid, { userId: user.uid })).toMatchObject({ data: { err: 2059 } })
    })
  })
