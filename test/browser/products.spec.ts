import { texts as feedbackEn } from '../../apps/web/src/features/feedback/texts.en.ts'
import { texts as feedbackZh } from '../../apps/web/src/features/feedback/texts.zh.ts'
import { texts as overviewEn } from '../../apps/web/src/features/products/services-texts.en.ts'
import { texts as overviewZh } from '../../apps/web/src/features/products/services-texts.zh.ts'
import { texts as productsEn } from '../../apps/web/src/features/products/texts.en.ts'
import { texts as productsZh } from '../../apps/web/src/features/products/texts.zh.ts'
import { texts as whisperEn } from '../../apps/web/src/features/transcription/texts.en.ts'
import { texts as whisperZh } from '../../apps/web/src/features/transcription/texts.zh.ts'
import { silence, sound } from './share-helpers.ts'
import { accessibilityViolations, downloaded, expect, freshEmail, test as plain, viewsFor } from './test-env.ts'

const words = {
  en: { feedback: feedbackEn, overview: overviewEn, products: productsEn, whisper: whisperEn },
  zh: { feedback: feedbackZh, overview: overviewZh, products: productsZh, whisper: whisperZh },
}
const test = plain.extend<{ w: (typeof words)['en'] }>({ w: async ({ view }, use) => use(words[view.lang]) })

/** The expected state of each service. */
const services = {
  '/tss': 'available',
  '/tc2': 'available',
  '/pcdn': 'request',
  '/aidata': 'request',
  '/aiproxy': 'planned',
  '/exchangePnuts': 'available',
  '/whisper': 'available',
} as const

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })

    test('each service has an accessible page that shows its state', async ({ page, at, w }) => {
      for (const [path, state] of Object.entries(services)) {
        await page.goto(at(path))
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
        await expect(page.locator('main').getByText(w.products.states[state], { exact: true }).first()).toBeVisible()
        await expect(page.locator('main svg[role=img]').first()).toBeVisible()
      }
    })

    test('a target shows the same current value on every page', { tag: '@long' }, async ({ page, at, t }) => {
      // A new network has too little data for a percentage.
      const [before = ''] = t.claims.tooLittle('|').split('|')
      const seen = new RegExp(`${before}(.+)`)
      const told = new Set<string | undefined>()
      for (const path of ['/', '/services', '/tss', '/pcdn', '/aiproxy', '/aidata']) {
        await page.goto(at(path))
        if (['/', '/services', '/tss'].includes(path)) {
          const claim = page.locator('div', { has: page.getByText('99.99%', { exact: true }) }).last()
          // The page is prerendered and rendered again once its code has loaded.
          await expect(() => claim.scrollIntoViewIfNeeded()).toPass()
          await expect(claim).toContainText(seen)
          await expect(claim).not.toContainText(t.claims.target)
          told.add(seen.exec((await claim.textContent()) ?? '')?.[1])
        }
        // Unmeasured targets have no value.
        for (const text of await page.getByText(t.claims.target).locator('..').allTextContents())
          expect(text).not.toMatch(/(now|today|当前|今天)[^.。]*\d/i)
      }
      expect(told.size).toBe(1)
    })

    test('the overview shows the same states and links to every page', async ({ page, at, w }) => {
      await page.goto(at('/services'))
      const table = page.getByRole('table')
      for (const [path, state] of Object.entries(services)) {
        const row = table.locator('tr', { has: page.locator(`th a[href="${path}"]`) })
        await expect(row).toContainText(w.products.states[state])
      }
      // This network simulates third parties and the partner, and both rows say so.
      const rowOf = (name: string) => table.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
      const { acceleration, thirdParty, exchange } = w.overview.services
      await expect(rowOf(acceleration.name)).toContainText(w.products.states.available)
      await expect(rowOf(thirdParty.name)).toContainText(w.products.states.unavailable)
      await expect(rowOf(exchange.name)).toContainText(w.overview.simulatedPartner)
    })

    test('opens an FAQ answer by keyboard', async ({ page, at }) => {
      await page.goto(at('/tss'))
      const question = page.locator('summary').first()
      const answer = page.locator('details').first()
      // Hydration can replace the prerendered button: press again if needed.
      await expect(async () => {
        if (await answer.evaluate((element) => (element as HTMLDetailsElement).open)) return
        await question.focus()
        await page.keyboard.press('Enter')
        await expect(answer).toHaveAttribute('open', '', { timeout: 500 })
      }).toPass()
    })

    test('validates a contact request, sends it and confirms it by e-mail', async ({ page, at, w }) => {
      const f = w.feedback
      const email = freshEmail()
      await page.goto(at('/pcdn'))
      const form = page.locator('#request form')
      await form.getByRole('button', { name: f.send }).click()
      const name = form.getByLabel(f.name)
      await expect(name).toBeFocused()
      await expect(name).toHaveAccessibleDescription(f.problems.name)
      await expect(form.getByText(f.problems.emailMissing)).toBeVisible()
      await expect(form.getByText(f.problems.text)).toBeVisible()
      await name.fill('Ada')
      await form.getByLabel(f.email).fill('ada')
      await expect(form.getByText(f.problems.emailInvalid)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      await form.getByLabel(f.email).fill(email)
      await form.locator('textarea').fill('Ten terabytes a month.')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(page.getByText(f.sentTitle)).toBeFocused()
      await expect(page.getByText(f.sentText(email))).toBeVisible()
      await expect(async () => {
        const answer = await fetch(at(`/dev/mailbox.json?to=${encodeURIComponent(email)}`))
        expect(((await answer.json()) as { mails: unknown[] }).mails).toHaveLength(1)
      }).toPass({ timeout: 15_000 })
    })

    test('fills in the e-mail address of signed-in users', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
      t,
      w,
    }) => {
      const f = w.feedback
      await signIn(page, user)
      await page.goto(at('/about'))
      await page.getByRole('contentinfo').getByRole('button', { name: t.footer.contact }).click()
      const panel = page.getByRole('dialog')
      await expect(panel.getByRole('radio', { name: f.panel.topics.contact })).toBeChecked()
      await expect(panel.getByText(f.panel.form)).toBeVisible()
      await expect(panel.getByLabel(f.email)).toHaveValue(user.email)
      await panel.getByText(f.panel.topics.feedback).click()
      await panel.getByLabel(f.name).fill('Ada')
      await panel.getByLabel(f.panel.labels.feedback).fill('The map is fine.')
      expect(await accessibilityViolations(page)).toEqual([])
      await panel.getByRole('button', { name: f.send }).click()
      await expect(panel.getByText(f.sentTitle)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(panel).toBeHidden()
    })

    test('checks a recording before upload and rejects unsupported files', { tag: '@long' }, async ({
      page,
      file,
      at,
      w,
    }) => {
      const { audio, ready, language } = w.whisper
      const sent: string[] = []
      page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()))
      await page.goto(at('/whisper'))
      const choose = async (name: string, bytes: Buffer) => {
        const chooser = page.waitForEvent('filechooser')
        await page.getByRole('button', { name: new RegExp(`^(${audio.choose}|${audio.other})$`) }).click()
        await (await chooser).setFiles(file(name, bytes).path)
      }
      await expect(page.getByText(ready.file[1])).toBeVisible()
      for (const [name, bytes, why] of [
        ['empty.wav', Buffer.alloc(0), audio.problems.empty],
        ['speech.mp3', Buffer.from('not a sound'), audio.problems.type],
        ['large.wav', silence(1, 50 * 1024 * 1024), audio.problems.size],
        ['broken.wav', sound(0).subarray(0, 20), audio.problems.unreadable],
        ['long.wav', silence(601), audio.problems.duration],
      ] as const) {
        await choose(name, bytes)
        await expect(page.getByText(why)).toBeVisible()
        await expect(page.getByText(ready.file[1])).toBeVisible()
      }
      await choose('speech.wav', silence(600))
      await expect(page.getByText(ready.file[0])).toBeVisible()
      await page.getByText(language.names.ko).click()
      await expect(page.getByText(ready.language[0])).toBeVisible()
      await expect(page.getByRole('link', { name: w.whisper.startSignIn, exact: true })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(sent).toEqual([])
    })

    test('the sample can be cancelled after a confirmation, and exported', { tag: '@long' }, async ({
      page,
      at,
      w,
    }) => {
      const s = w.whisper
      await page.goto(at('/whisper'))
      await page.getByRole('button', { name: s.play }).click()
      await expect(page.getByText(s.sampleNote)).toBeVisible()
      await page.getByRole('button', { name: s.cancel, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: s.cancel, exact: true }).click()
      await expect(page.getByText(s.states.cancelled, { exact: true })).toBeVisible()
      await page.getByRole('button', { name: s.play }).click()
      await expect(page.getByText(s.states.complete, { exact: true })).toBeVisible({ timeout: 15_000 })
      const { name, bytes } = await downloaded(page, () => page.getByRole('button', { name: s.exportIt }).click())
      expect([name, bytes.toString()]).toEqual([s.file, `${s.lines.join('\n')}\n`])
      for (const line of s.lines) await expect(page.getByText(line)).toBeVisible()
    })
  })
