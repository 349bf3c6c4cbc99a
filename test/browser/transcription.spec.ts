import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { texts as en } from '../../apps/web/src/features/transcription/texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/transcription/texts.zh.ts'
import { silence } from './share-helpers.ts'
import { SPOKEN, setEngineAnswer } from './speech-engine.ts'
import { accessibilityViolations, data, downloaded, expect, overflows, test, viewsFor } from './test-env.ts'

interface Account {
  remaining: number
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? zh : en
    const spoken = SPOKEN.map(({ text }) => text.trim())

    test.beforeEach(() => setEngineAnswer({}))

    const choose = async (page: Page, path: string) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: new RegExp(`^(${w.audio.choose}|${w.audio.other})$`) }).click()
      await (await chooser).setFiles(path)
      await expect(page.getByText(w.ready.file[0])).toBeVisible()
    }
    const start = async (page: Page, path: string) => {
      await choose(page, path)
      await page.locator('fieldset').getByText(w.language.names.en, { exact: true }).click()
      await page.getByRole('button', { name: w.start, exact: true }).click()
    }
    const card = (page: Page, name: string) => page.getByRole('listitem', { name: w.tasks.of(name), exact: true })

    test('a recording becomes a text that follows the player, is edited, searched, exported, and saved beside it', async ({
      page,
      user,
      signIn,
      at,
      file,
    }) => {
      test.setTimeout(120_000)
      await signIn(page, user)
      await page.goto(at('/whisper'))
      await expect(page.getByText(w.uses.left(3, 3))).toBeVisible()
      // Larger than one part.
      await start(page, file('harbour.wav', silence(240)).path)
      await card(page, 'harbour.wav').getByRole('link', { name: w.tasks.open }).click()
      await expect(page.getByRole('heading', { name: 'harbour.wav' })).toBeVisible()

      const rows = page.getByRole('list', { name: w.view.segments }).getByRole('listitem')
      for (const [index, text] of spoken.entries()) await expect(rows.nth(index)).toContainText(text)
      const playing = () => page.evaluate(() => document.querySelector('audio')?.currentTime ?? 0)
      await rows
        .nth(1)
        .getByRole('button', { name: w.view.playFrom('0:02') })
        .press('Enter')
      await expect.poll(playing).toBeGreaterThanOrEqual(2.5)
      await page.evaluate(() => document.querySelector('audio')?.pause())
      await rows.nth(2).getByText('checked').click()
      await expect(rows.nth(2)).toHaveAttribute('aria-current', 'true')
      await page.evaluate(() => document.querySelector('audio')?.pause())
      await expect.poll(playing).toBeGreaterThanOrEqual(5)

      await rows
        .nth(1)
        .getByRole('button', { name: w.view.edit('0:02') })
        .click()
      const editor = page.getByRole('textbox', { name: w.view.textAt('0:02') })
      await editor.fill('discarded')
      await editor.press('Escape')
      await expect(rows.nth(1)).toContainText(spoken[1] as string)
      await rows
        .nth(1)
        .getByRole('button', { name: w.view.edit('0:02') })
        .click()
      await editor.fill('It writes down the tide every six minutes.')
      await editor.press('Enter')
      await expect(page.getByText(w.view.edited(1))).toBeVisible()

      const find = page.getByRole('searchbox', { name: w.view.find })
      await find.fill('TIDE')
      await expect(page.getByText(w.view.found(1, 2))).toBeVisible()
      await find.press('Enter')
      await expect(page.getByText(w.view.found(2, 2))).toBeVisible()
      await expect(rows.nth(1).locator('mark')).toHaveText('tide')
      await find.fill('')
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await overflows(page)).toBe(false)

      const shown = [spoken[0], 'It writes down the tide every six minutes.', spoken[2]]
      const exported = async (format: keyof typeof w.view.exportAs) => {
        await page.getByRole('button', { name: w.exportIt, exact: true }).click()
        const saved = await downloaded(page, () =>
          page.getByRole('menuitem', { name: w.view.exportAs[format] }).click(),
        )
        expect(saved.name).toBe(`harbour.${format}`)
        return saved.bytes.toString()
      }
      expect(await exported('txt')).toBe(shown.map((line) => `${line}\n`).join(''))
      const [first] = shown
      expect(await exported('srt')).toContain(`1\r\n00:00:00,000 --> 00:00:02,500\r\n${first}\r\n\r\n2\r\n`)
      expect(await exported('vtt')).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:02\.500\n/)
      const json = JSON.parse(await exported('json')) as { segments: { text: string }[] }
      expect(json.segments.map(({ text }) => text)).toEqual(shown)

      await page.getByRole('button', { name: w.view.save, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: w.view.saveGo }).click()
      await expect(async () => {
        const { list } = await data<{ list: { UserAssetDetail: { AssetName: string } }[] }>(
          'assets.list',
          {},
          user.token,
        )
        expect(list.map(({ UserAssetDetail }) => UserAssetDetail.AssetName).sort()).toEqual([
          'harbour.srt',
          'harbour.txt',
          'harbour.wav',
        ])
      }).toPass({ timeout: 30_000 })

      // The edit is on the server, and the search over all transcripts finds its second.
      await page.goto(at('/whisper'))
      await expect(page.getByText(w.uses.left(2, 3))).toBeVisible()
      await page.getByRole('searchbox', { name: w.list.search }).fill('the tide every')
      await page.getByRole('link', { name: /0:02/ }).click()
      await expect(rows.nth(1)).toHaveAttribute('aria-current', 'true')
      await rows
        .nth(1)
        .getByRole('button', { name: w.view.restore('0:02') })
        .click()
      await expect(rows.nth(1)).toContainText(spoken[1] as string)

      await page.getByRole('button', { name: w.view.removeAudio }).click()
      await page.getByRole('dialog').getByRole('button', { name: w.remove, exact: true }).click()
      await expect(page.getByText(w.view.gone)).toBeVisible()
      await page.getByRole('button', { name: w.list.actions('harbour.wav') }).click()
      await page.getByRole('menuitem', { name: w.remove, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: w.remove, exact: true }).click()
      await expect(page.getByText(w.list.empty)).toBeVisible()
    })

    test('the queue survives a reload; cancelling asks, and returns the use', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
      file,
    }) => {
      await setEngineAnswer({ isHeld: true })
      await signIn(page, user)
      await page.goto(at('/whisper'))
      const { path } = file('first.wav', silence(3))
      await start(page, path)
      await expect(card(page, 'first.wav')).toContainText(w.states.transcribing)
      await start(page, file('second.wav', silence(3)).path)
      await expect(card(page, 'second.wav')).toContainText(w.tasks.position(1))
      await expect(page.getByText(w.uses.left(1, 3))).toBeVisible()

      await page.reload()
      await expect(card(page, 'second.wav')).toContainText(w.tasks.position(1))
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      await page.getByRole('button', { name: w.tasks.cancelOf('second.wav') }).click()
      await page.getByRole('dialog').getByRole('button', { name: w.goOn }).click()
      await expect(card(page, 'second.wav')).toContainText(w.states.processing)
      await page.getByRole('button', { name: w.tasks.cancelOf('second.wav') }).click()
      await page.getByRole('dialog').getByRole('button', { name: w.cancel, exact: true }).click()
      await expect(card(page, 'second.wav')).toContainText(w.states.cancelled)
      await expect(page.getByText(w.uses.left(2, 3))).toBeVisible()

      await setEngineAnswer({})
      await expect(card(page, 'first.wav')).toContainText(w.states.complete, { timeout: 20_000 })
    })

    test('an upload continues after its connection was cut, and with the same file after a reload', {
      tag: '@long',
    }, async ({ page, user, signIn, at, file, expected }) => {
      expected.push(/Failed to load resource/)
      await signIn(page, user)
      await page.goto(at('/whisper'))
      const { path } = file('long.wav', silence(400))
      const isPart = (url: URL) => url.pathname.endsWith('/upload') && url.searchParams.get('offset') === '2097152'
      await page.route(isPart, (route) => route.abort())
      await start(page, path)
      await expect(card(page, 'long.wav')).toContainText(w.tasks.waiting)
      page.on('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await expect(card(page, 'long.wav')).toContainText(w.tasks.interrupted)
      await page.unroute(isPart)
      const resume = async (file: string) => {
        const chooser = page.waitForEvent('filechooser')
        await card(page, 'long.wav').getByRole('button', { name: w.tasks.continueWith }).click()
        await (await chooser).setFiles(file)
      }
      await resume(file('other.wav', silence(3)).path)
      await expect(page.getByText(w.tasks.otherFile)).toBeVisible()
      const offsets: string[] = []
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        if (pathname.endsWith('/upload')) offsets.push(searchParams.get('offset') ?? '')
      })
      await resume(path)
      await expect(card(page, 'long.wav').getByRole('link', { name: w.tasks.open })).toBeVisible({ timeout: 20_000 })
      expect(offsets[0]).toBe('2097152')
    })

    test('an MP3 whose duration browsers can only guess is accepted, over a slow connection too', {
      tag: '@long',
    }, async ({ page, user, signIn, at, file, expected }) => {
      expected.push(/Failed to load resource/)
      await signIn(page, user)
      await page.goto(at('/whisper'))
      const frame = (header: number, length: number) => {
        const bytes = Buffer.alloc(length)
        bytes.set([0xff, 0xfb, header])
        return bytes
      }
      // A second of 32 kbit/s, then 30 of 320 kbit/s.
      const frames = [...Array(38).fill(frame(0x10, 104)), ...Array(1150).fill(frame(0xe0, 1044))]
      await page.route(
        (url) => url.pathname.endsWith('/upload'),
        (route) => ((route.request().postDataBuffer()?.length ?? 0) > 300_000 ? route.abort() : route.continue()),
      )
      await start(page, file('changing.mp3', Buffer.concat(frames)).path)
      const open = card(page, 'changing.mp3').getByRole('link', { name: w.tasks.open })
      await expect(open).toBeVisible({ timeout: 30_000 })
      await open.click()
      // It is played by its real times.
      await expect.poll(() => page.evaluate(() => document.querySelector('audio')?.duration)).toBeCloseTo(31, 0)
    })

    test('an MP3 is played beside its text, and what was found is readable', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
    }) => {
      await signIn(page, user)
      await page.goto(at('/whisper'))
      await start(page, fileURLToPath(new URL('../speech/tide-gauge.mp3', import.meta.url)))
      await card(page, 'tide-gauge.mp3').getByRole('link', { name: w.tasks.open }).click()
      await page
        .getByRole('list', { name: w.view.segments })
        .getByRole('button', { name: w.view.playFrom('0:02') })
        .click()
      const playing = () => page.evaluate(() => document.querySelector('audio')?.currentTime ?? 0)
      await expect.poll(playing).toBeGreaterThan(2.5)
      await page.evaluate(() => document.querySelector('audio')?.pause())
      await page.getByRole('searchbox', { name: w.view.find }).fill('the')
      await expect(page.locator('mark').first()).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
    })

    test('a visitor chooses first and signs in later', { tag: '@long' }, async ({ page, user, at, file, t }) => {
      await page.goto(at('/whisper'))
      await choose(page, file('first.wav', silence(3)).path)
      await page.locator('fieldset').getByText(w.language.names.ja, { exact: true }).click()
      await page.getByRole('link', { name: w.startSignIn }).click()
      await page.getByLabel(t.accounts.email).fill(user.email)
      await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(user.password)
      await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
      await page.getByRole('button', { name: w.start, exact: true }).click()
      await expect(card(page, 'first.wav').getByRole('link', { name: w.tasks.open })).toBeVisible({ timeout: 20_000 })
      await expect(page.getByRole('cell', { name: w.language.names.ja, exact: true })).toBeVisible()
    })

    test('an edit made elsewhere is not overwritten without asking', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
      file,
    }) => {
      await signIn(page, user)
      await page.goto(at('/whisper'))
      await start(page, file('talk.wav', silence(3)).path)
      await card(page, 'talk.wav').getByRole('link', { name: w.tasks.open }).click()
      const row = page.getByRole('list', { name: w.view.segments }).getByRole('listitem').first()
      await expect(row).toContainText(spoken[0] as string)
      const id = new URL(page.url()).searchParams.get('task')
      const { version } = await data<{ version: number }>('speech.transcript', { id }, user.token)
      await data('speech.edit', { id, version, changes: [{ index: 1, text: 'Changed elsewhere.' }] }, user.token)
      await row.getByRole('button', { name: w.view.edit('0:00') }).click()
      await page.getByRole('textbox', { name: w.view.textAt('0:00') }).fill('Changed here.')
      await page.keyboard.press('Enter')
      await expect(page.getByText(w.view.changed)).toBeVisible()
      await page.getByRole('button', { name: w.view.keepMine }).click()
      await expect(page.getByText(w.view.edited(2))).toBeVisible()
      await expect(row).toContainText('Changed here.')
    })

    test('a failure of the engine says why, and returns the use', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
      file,
    }) => {
      await setEngineAnswer({ status: 415 })
      await signIn(page, user)
      await page.goto(at('/whisper'))
      await start(page, file('odd.wav', silence(3)).path)
      await expect(card(page, 'odd.wav')).toContainText(w.failures.refused)
      await expect(page.getByText(w.uses.left(3, 3))).toBeVisible()
    })

    test('refuses a fourth transcription, and another account', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      visitor,
      at,
      file,
    }) => {
      test.setTimeout(90_000)
      await signIn(page, user)
      await page.goto(at('/whisper'))
      let left = 3
      for (const name of ['one.wav', 'two.wav', 'three.wav']) {
        await start(page, file(name, silence(2)).path)
        left -= 1
        await expect(page.getByText(w.uses.left(left, 3))).toBeVisible()
        await expect(card(page, name).getByRole('link', { name: w.tasks.open })).toBeVisible({ timeout: 20_000 })
      }
      await choose(page, file('four.wav', silence(2)).path)
      await expect(page.getByText(w.ready.uses[1])).toBeVisible()
      await expect(page.getByRole('button', { name: w.start, exact: true })).toBeDisabled()
      expect((await data<Account>('speech.account', {}, user.token)).remaining).toBe(0)

      await card(page, 'one.wav').getByRole('link', { name: w.tasks.open }).click()
      await expect(page.getByRole('list', { name: w.view.segments })).toBeVisible()
      const stranger = await visitor()
      await stranger.goto(page.url())
      await expect(stranger.getByRole('link', { name: w.view.signIn })).toBeVisible()
    })

    test('without an engine, the page says so and offers a labelled sample', async ({ page, at }) => {
      const services = await data<{ list: { name: string }[] }>('portal.services')
      await page.route(
        (url) => url.pathname === '/api/v1/portal/services',
        (route) =>
          route.fulfill({
            json: {
              code: 0,
              data: {
                ...services,
                speech: 'none',
                list: services.list.map((each) =>
                  each.name === 'whisper' ? { name: 'whisper', state: 'unavailable', reason: 'No engine.' } : each,
                ),
              },
            },
          }),
      )
      await page.goto(at('/whisper'))
      await expect(page.getByText('No engine.')).toBeVisible()
      await expect(page.getByText(w.ready.engine)).toBeVisible()
      await expect(page.getByRole('button', { name: w.start, exact: true })).toBeDisabled()
      await page.getByRole('button', { name: w.play }).click()
      await expect(page.getByText(w.sampleNote)).toBeVisible()
    })
  })
