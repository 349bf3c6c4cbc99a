import { randomBytes } from 'node:crypto'
import { SHARE } from '@tidenet/contract/storage-enums'
import {
  replaceSaveDialog,
  requestFromElsewhere,
  savedSize,
  serveHtml,
  share,
  test,
  waitForReplicas,
} from './share-helpers.ts'
import {
  accessibilityViolations,
  act,
  call,
  data,
  downloaded,
  expect,
  filesWords,
  uploadTo,
  viewsFor,
} from './test-env.ts'

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })

    test('a password-protected share opens with its password until it is revoked', async ({
      page,
      visitor,
      user,
      signIn,
      file,
      at,
      t,
      w,
    }) => {
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      const { path, bytes } = file('tides.csv', 2_000_000)
      await uploadTo(page, t, 'files', path)
      await expect(page.getByRole('button', { name: 'tides.csv', exact: true })).toBeVisible()
      await page.getByRole('button', { name: filesWords(t).transfers.clear }).click()
      await act(page, t, 'tides.csv', filesWords(t).files.share)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: w.links.dialog.options }).click()
      await dialog.getByLabel(w.links.form.password).fill('Ebb123')
      await dialog.getByRole('button', { name: w.links.dialog.days(7) }).click()
      const link = (await dialog.locator('code').first().getAttribute('title')) ?? ''
      expect(link).toMatch(/\/s\/\w{16}$/)

      const friend = await visitor()
      await friend.goto(link)
      await expect(friend.getByRole('heading', { name: w.shares.password.title })).toBeVisible()
      expect(await accessibilityViolations(friend)).toEqual([])
      await friend.getByLabel(w.shares.password.label).fill('Flow12')
      await friend.getByRole('button', { name: w.shares.password.open, exact: true }).click()
      await expect(friend.locator('[aria-invalid=true]')).toBeVisible()
      await friend.getByLabel(w.shares.password.label).fill('Ebb123')
      await friend.getByRole('button', { name: w.shares.password.open, exact: true }).click()
      await expect(friend.getByRole('heading', { name: 'tides.csv' })).toBeVisible()
      await expect(friend).toHaveTitle(/tides\.csv/)
      await expect(friend.getByText(w.shares.facts.passwordNeeded)).toBeVisible()
      const button = friend.getByRole('button', { name: w.shares.actions.download, exact: true })
      const saved = await downloaded(friend, () => button.click())
      expect(saved.name).toBe('tides.csv')
      expect(saved.bytes.equals(bytes)).toBe(true)
      await expect(friend.getByText(w.shares.theatre.stage.done)).toBeVisible()
      await expect(friend.getByText(w.shares.facts.downloadsOf(9, 10))).toBeVisible()

      const choose = async (action: string) => {
        await dialog.getByRole('button', { name: w.links.link.actions('tides.csv') }).click()
        await page.getByRole('menuitem', { name: action }).click()
      }
      await choose(w.links.link.edit)
      await dialog.getByLabel(w.links.form.password).fill('')
      await dialog.getByRole('radio', { name: w.links.dialog.permanent }).click()
      await dialog.getByRole('button', { name: w.links.form.save }).click()
      await expect(dialog.getByText(w.links.link.permanent).first()).toBeVisible()
      const other = await visitor()
      await other.goto(link)
      await expect(other.getByRole('heading', { name: 'tides.csv' })).toBeVisible()

      await choose(w.links.link.revoke)
      await expect(dialog.getByText(w.links.dialog.none)).toBeVisible()
      await other.reload()
      await expect(other.getByRole('heading', { name: w.shares.states.gone })).toBeVisible()
      await dialog.getByRole('button', { name: w.links.link.undo }).click()
      await expect(dialog.locator('code').first()).toHaveAttribute('title', link)
      await other.reload()
      await expect(other.getByRole('heading', { name: 'tides.csv' })).toBeVisible()
    })

    test('a download shows the parts by node, failed nodes, and its trace', async ({
      visitor,
      user,
      expected,
      at,
      w,
    }) => {
      // Expected browser error, because a node is cut off below.
      expected.push(/net::ERR_FAILED/)
      const bytes = randomBytes(3_000_000)
      const { cid, search } = await share(user, 'survey.bin', bytes)
      await waitForReplicas(user, cid, 3)
      const friend = await visitor()
      let refusing = ''
      await friend.route('**/ipfs/**', (route) => {
        const { origin } = new URL(route.request().url())
        const range = route.request().headers().range ?? ''
        // One node answers the first request only.
        if (range && range !== 'bytes=0-0') refusing ||= origin
        return origin === refusing && range !== 'bytes=0-0' ? route.abort() : route.continue()
      })
      await friend.goto(at(`/distributionstatus${search}`))
      const button = friend.getByRole('button', { name: w.shares.actions.download, exact: true })
      const saved = await downloaded(friend, () => button.click())
      expect(saved.bytes.equals(bytes)).toBe(true)

      await expect(friend.getByText(w.shares.theatre.stage.done)).toBeVisible()
      const grid = friend.getByRole('img', { name: /12/ }).last()
      await expect(grid).toHaveAccessibleName(/^12 of 12|共 12 部分，已校验 12 部分/)
      await expect(friend.getByText(w.shares.theatre.blocksOf('12', '12'))).toBeVisible()
      await expect(friend.getByText(/^(Retries and refusals|重试与拒绝)/)).toBeVisible()
      const trace = friend.getByText(w.shares.theatre.trace, { exact: true }).locator('..').locator('code')
      await expect(trace).toHaveText(/^t[a-z0-9]{10,}$/)
      expect(await accessibilityViolations(friend)).toEqual([])
    })

    test('a download whose nodes went away says so, and continues where it stopped', async ({
      visitor,
      user,
      expected,
      at,
      w,
    }) => {
      expected.push(/net::ERR_FAILED/)
      const bytes = randomBytes(12_000_000)
      const { search } = await share(user, 'chart.bin', bytes)
      const friend = await visitor()
      await friend.goto(at(`/distributionstatus${search}`))
      let isCut = true
      const parts: string[] = []
      await friend.route('**/ipfs/**', (route) => {
        const { range = '' } = route.request().headers()
        const hasBegun = parts.length > 0
        if (range && range !== 'bytes=0-0') parts.push(range)
        // Only the first part arrives.
        return isCut && hasBegun ? route.abort() : route.continue()
      })
      const button = friend.getByRole('button', { name: w.shares.actions.download, exact: true })
      const saved = await downloaded(friend, async () => {
        await button.click()
        await expect(friend.getByText(w.shares.theatre.stage.waiting, { exact: true })).toBeVisible()
        expect(await accessibilityViolations(friend)).toEqual([])
        isCut = false
      })
      expect(saved.bytes.equals(bytes)).toBe(true)
      await expect(friend.getByText(w.shares.theatre.stage.done)).toBeVisible()
      expect(parts.lastIndexOf(parts[0] ?? '')).toBe(0)
    })

    test('a download that fails because the share has ended says so', { tag: '@long' }, async ({
      visitor,
      user,
      expected,
      at,
      w,
    }) => {
      // Expected browser error, because all nodes are cut off below.
      expected.push(/net::ERR_FAILED/)
      const { cid, search } = await share(user, 'ended.bin', randomBytes(1_000_000))
      const friend = await visitor()
      await friend.route('**/ipfs/**', async (route) => {
        await data('shares.setStatus', { cid, status: SHARE.off }, user.token)
        await route.abort()
      })
      await friend.goto(at(`/distributionstatus${search}`))
      await friend.getByRole('button', { name: w.shares.actions.download, exact: true }).click()
      await expect(friend.getByRole('heading', { name: w.shares.states.gone })).toBeVisible({ timeout: 30_000 })
    })

    test('saves to the chosen file, and removes it if the download is cancelled', { tag: '@long' }, async ({
      visitor,
      user,
      at,
      w,
    }) => {
      const bytes = randomBytes(1_500_000)
      const { search } = await share(user, 'chart.bin', bytes)
      const friend = await visitor()
      await replaceSaveDialog(friend)
      await friend.goto(at(`/distributionstatus${search}`))
      let held = true
      await friend.route('**/ipfs/**', async (route) => {
        const { range } = route.request().headers()
        if (held && range && range !== 'bytes=0-0') return
        await route.continue()
      })
      await friend.getByRole('button', { name: w.shares.actions.saveTo }).click()
      await expect(friend.getByText(w.shares.theatre.stage.downloading)).toBeVisible()
      await friend.getByRole('button', { name: w.shares.theatre.cancel }).click()
      await expect(friend.getByText(w.shares.theatre.stage.cancelled)).toBeVisible()
      expect(await savedSize(friend, 'chart.bin')).toBe(-1)

      held = false
      await friend.unrouteAll({ behavior: 'ignoreErrors' })
      await friend.getByRole('button', { name: w.shares.actions.saveTo }).click()
      await expect(friend.getByText(w.shares.theatre.stage.done)).toBeVisible()
      expect(await savedSize(friend, 'chart.bin')).toBe(bytes.length)
    })

    test('opens a link by id, by pasted text, and embedded in another site', { tag: '@long' }, async ({
      visitor,
      user,
      expected,
      at,
      w,
    }) => {
      const { id, search } = await share(user, 'buoy.txt', randomBytes(2000))
      const friend = await visitor()
      await friend.goto(at(`/share?id=${id}`))
      await expect(friend.getByRole('heading', { name: 'buoy.txt' })).toBeVisible()
      await friend.goto(at('/share'))
      await friend.getByLabel(w.shares.resolver.label).fill('https://elsewhere.test/link?id=abcdefgh')
      await friend.getByRole('button', { name: w.shares.resolver.open, exact: true }).click()
      await expect(friend.getByText(w.shares.resolver.notALink)).toBeVisible()
      await friend.getByLabel(w.shares.resolver.label).fill(at(`/distributionstatus${search}`))
      await friend.getByRole('button', { name: w.shares.resolver.open, exact: true }).click()
      await expect(friend.getByRole('heading', { name: 'buoy.txt' })).toBeVisible()

      expected.push(/frame-ancestors|X-Frame-Options|chrome-error/)
      const frames = ['/td-distributionstatus', '/distributionstatus']
        .map((path) => `<iframe width="600" height="500" src="${at(path + search).replaceAll('&', '&amp;')}"></iframe>`)
        .join('')
      const elsewhere = await serveHtml(`<!doctype html><title>elsewhere</title>${frames}`)
      await friend.goto(elsewhere.url)
      const [slim, whole] = [friend.frameLocator('iframe').nth(0), friend.frameLocator('iframe').nth(1)]
      await expect(slim.getByRole('heading', { name: 'buoy.txt' })).toBeVisible()
      await expect(slim.getByRole('link', { name: w.shares.embedded.openFull })).toBeVisible()
      await expect(whole.getByRole('heading', { name: 'buoy.txt' })).toHaveCount(0)
      await elsewhere.close()

      const broken = await serveHtml(
        `<!doctype html><title>x</title><iframe src="${at('/td-distributionstatus')}"></iframe>`,
      )
      await friend.goto(broken.url)
      const out = friend.frameLocator('iframe').getByRole('link', { name: w.shares.states.home })
      await expect(out).toHaveAttribute('target', '_blank')
      await broken.close()
    })

    test('a link with an area downloads only from nodes there', { tag: '@long' }, async ({ visitor, user, at, w }) => {
      const bytes = randomBytes(900_000)
      const { cid, search } = await share(user, 'baltic.bin', bytes, { terms: { area_id: 'Germany' } })
      await expect(async () => {
        const { list } = await data<{ list: { area_id: string }[] }>('assets.mapOfCid', { cid }, user.token)
        expect(list.some(({ area_id }) => area_id.includes('-Germany-'))).toBe(true)
      }).toPass({ timeout: 40_000 })
      const friend = await visitor()
      const asked = new Set<string>()
      friend.on('request', (request) => {
        const { origin, pathname } = new URL(request.url())
        if (pathname.startsWith('/ipfs/')) asked.add(origin)
      })
      await friend.goto(at(`/distributionstatus${search}`))
      const button = friend.getByRole('button', { name: w.shares.actions.download, exact: true })
      expect((await downloaded(friend, () => button.click())).bytes.equals(bytes)).toBe(true)
      expect(asked.size).toBe(1)
    })

    test('the owner sees the same page and is never rejected', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
      w,
    }) => {
      const { search, cid } = await share(user, 'mine.txt', randomBytes(2000))
      await signIn(page, user)
      await page.goto(at(`/distributionstatus${search}`))
      await expect(page.getByText(w.shares.owner.shared)).toBeVisible()
      await data('shares.setStatus', { cid, status: 0 }, user.token)
      await page.reload()
      await expect(page.getByText(w.shares.owner.notShared)).toBeVisible()
      await expect(page.getByRole('heading', { name: 'mine.txt' })).toBeVisible()
    })

    test('rejects the eleventh download, on the page and by the API', { tag: '@long' }, async ({
      visitor,
      user,
      at,
      w,
    }) => {
      const { cid, search } = await share(user, 'ten.txt', randomBytes(2000))
      const first = await visitor()
      await first.goto(at(`/distributionstatus${search}`))
      await downloaded(first, () => first.getByRole('button', { name: w.shares.actions.download, exact: true }).click())
      await expect(first.getByText(w.shares.facts.downloadsOf(9, 10))).toBeVisible()
      const fields = { user_id: user.uid, asset_cid: cid }
      for (let index = 0; index < 9; index++) expect((await requestFromElsewhere(fields)).code).toBe(0)
      expect(await requestFromElsewhere(fields)).toMatchObject({ code: -1, err: 2064 })
      const late = await visitor()
      await late.goto(at(`/distributionstatus${search}`))
      await expect(late.getByRole('heading', { name: w.shares.states.spent })).toBeVisible()
      expect(await accessibilityViolations(late)).toEqual([])
    })

    test('rejects an expired link, on the page and by the API', async ({ visitor, user, at, w }) => {
      const terms = () => ({ expire_time: Math.floor(Date.now() / 1000) + 3 })
      const { cid, search } = await share(user, 'brief.txt', randomBytes(2000), { terms })
      const friend = await visitor()
      await expect(async () => {
        await friend.goto(at(`/distributionstatus${search}`))
        const title = friend.getByRole('heading', { name: w.shares.states.expired })
        await expect(title).toBeVisible({ timeout: 1000 })
      }).toPass({ timeout: 20_000 })
      expect(await call('downloads.open', { user_id: user.uid, asset_cid: cid })).toMatchObject({ err: 2058 })
    })

    test('blocks password guessing for a while, and API calls without the password', async ({
      visitor,
      user,
      at,
      w,
    }) => {
      const { cid, search } = await share(user, 'locked.txt', randomBytes(2000), { terms: { short_pass: 'Ebb123' } })
      expect(await call('downloads.open', { user_id: user.uid, asset_cid: cid })).toMatchObject({ err: 2059 })
      const thief = await visitor()
      await thief.goto(at(`/distributionstatus${search}`))
      const open = thief.getByRole('button', { name: w.shares.password.open, exact: true })
      const locked = thief.getByText(
        new RegExp(`^${w.shares.password.locked('@').replace(/[.()]/g, '\\$&').replace('@', '.+')}`),
      )
      for (let index = 0; index < 8 && !(await locked.isVisible()); index++) {
        await thief.getByLabel(w.shares.password.label).fill(`Wrong${index}`)
        await open.click()
        await expect(thief.locator('[aria-invalid=true]')).toBeVisible()
      }
      await expect(locked).toBeVisible()
      await expect(open).toBeDisabled()
    })

    test('rejects unknown links and malformed passwords', { tag: '@long' }, async ({
      page,
      visitor,
      user,
      signIn,
      at,
      t,
      w,
    }) => {
      await data('folders.create', { name: 'Reef', parent: 0 }, user.token)
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await act(page, t, 'Reef', filesWords(t).files.share)
      await page.getByRole('button', { name: w.links.dialog.options }).click()
      await page.getByLabel(w.links.form.password).fill('abc')
      await page.getByRole('button', { name: w.links.dialog.days(7) }).click()
      await expect(page.getByText(w.links.form.passwordFormat)).toBeVisible()
      expect((await call('shares.info', { cid: '1' }, user.token)).code).not.toBe(0)

      const stranger = await visitor()
      for (const [path, title] of [
        ['/distributionstatus', w.shares.states.incomplete],
        [`/distributionstatus?cid=bafkreigone&AssetType=file&address=${user.uid}`, w.shares.states.gone],
        [`/groupPreview?cid=bafkreigone&AssetType=folder&address=${user.uid}`, w.shares.states.incomplete],
        [`/groupPreview?cid=999999&AssetType=folder&address=${user.uid}`, w.shares.states.gone],
        ['/share?id=nothing-here', w.shares.states.gone],
        ['/link?cid=1&id=nothing-here', w.shares.states.gone],
      ] as const) {
        await stranger.goto(at(path))
        await expect(stranger.getByRole('heading', { name: title })).toBeVisible()
      }
    })
  })
