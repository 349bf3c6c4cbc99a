import { accessibilityViolations, expect, test, viewsFor } from './test-env.ts'
import { shortAddress, typeWords, walletSteps } from './wallet-helpers.ts'

const PASSWORD = 'harbour-light-7'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const { w, openSignIn, use, inDialog } = walletSteps(view)

    test('creates, backs up, removes and restores the browser wallet', { tag: '@long' }, async ({ page, at, t }) => {
      test.slow()
      const o = w.own
      const password = async () => {
        await page.getByRole('textbox', { name: o.password, exact: true }).fill(PASSWORD)
        await page.getByRole('textbox', { name: o.repeat, exact: true }).fill(PASSWORD)
      }
      let words: string[] = []
      await test.step('creates it after the recovery phrase is confirmed', async () => {
        await openSignIn(page, at)
        await inDialog(page).getByRole('button', { name: w.dialog.create }).click()
        const items = inDialog(page).locator('ol > li')
        await expect(items).toHaveCount(12)
        words = (await items.allInnerTexts()).map((text) => text.replace(/\d+/, '').trim())
        await page.getByRole('textbox', { name: o.password, exact: true }).fill('short')
        await page.getByRole('button', { name: o.wordsDone }).click()
        await expect(page.getByText(o.passwordShort)).toBeVisible()
        await password()
        expect(await accessibilityViolations(page)).toEqual([])
        await page.getByRole('button', { name: o.wordsDone }).click()
        const finish = page.getByRole('button', { name: o.finish })
        const asked = inDialog(page).getByRole('textbox')
        await expect(asked).toHaveCount(3)
        for (const word of words) await expect(inDialog(page)).not.toContainText(word)
        await typeWords(page, [...words].reverse())
        await finish.click()
        await expect(page.getByText(o.wrong).first()).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        await typeWords(page, words)
        await finish.click()
      })
      await test.step('signs what is shown, and nothing that was declined', async () => {
        const prompt = page.getByRole('dialog', { name: w.prompt.text })
        await expect(prompt).toContainText(new URL(at('/')).host)
        expect(await accessibilityViolations(page)).toEqual([])
        await prompt.getByRole('button', { name: w.prompt.refuse }).click()
        await expect(inDialog(page).getByRole('alert')).toHaveText(w.problems.rejected)
        await use(page, w.dialog.inBrowser).click()
        await page.getByRole('dialog', { name: w.prompt.text }).getByRole('button', { name: w.prompt.sign }).click()
        await expect(page).toHaveURL(at('/fileStorage'))
      })
      const address = () =>
        page.evaluate(() => JSON.parse(localStorage.getItem('tidenet.wallet-used') ?? '{}').address as string)
      const made = await address()
      expect(made).toMatch(/^tide1[02-9ac-hj-np-z]{38}$/)

      await test.step('shows the recovery phrase only with the password', async () => {
        await page.goto(at('/myAccount'))
        await page.getByRole('button', { name: o.manage }).click()
        await expect(page.getByRole('heading', { name: o.send })).toBeVisible()
        const section = page.locator('section', { has: page.getByRole('heading', { name: o.exportTitle }) }).last()
        const field = section.getByRole('textbox', { name: o.password, exact: true })
        await field.fill('not-the-password')
        await section.getByRole('button', { name: o.export }).click()
        await expect(section).toContainText(w.problems.wrongPassword)
        await field.fill(PASSWORD)
        await section.getByRole('button', { name: o.export }).click()
        for (const word of words) await expect(section.locator('ol')).toContainText(word)
        expect(await accessibilityViolations(page)).toEqual([])
      })
      await test.step('browser storage contains neither the phrase nor the password', async () => {
        const kept = await page.evaluate(async () => {
          const opening = indexedDB.open('tidenet-wallet')
          const done = (request: IDBRequest) =>
            new Promise<unknown>((resolve) => {
              request.onsuccess = () => resolve(request.result)
            })
          const database = (await done(opening)) as IDBDatabase
          const wallet = (await done(database.transaction('wallets').objectStore('wallets').get('built-in'))) as {
            sealed: { bytes: ArrayBuffer }
          }
          const sealed = new TextDecoder('latin1').decode(wallet.sealed.bytes)
          return JSON.stringify(wallet) + sealed + JSON.stringify({ ...localStorage, ...sessionStorage })
        })
        expect(kept).toContain('tide1')
        expect(kept).not.toContain(words.slice(0, 2).join(' '))
        expect(kept).not.toContain(PASSWORD)
      })
      await test.step('removes it with its keys after a typed confirmation', async () => {
        await page.getByRole('button', { name: o.toRemove }).click()
        const remove = page.getByRole('button', { name: o.remove })
        await expect(remove).toBeDisabled()
        await page.getByRole('textbox', { name: o.removeType(o.removeWord) }).fill(o.removeWord)
        await remove.click()
        await expect(page.getByText(o.removed)).toBeVisible()
        await expect(page.getByRole('button', { name: o.create, exact: true })).toBeVisible()
      })
      await test.step('shows the position of misspelled words, and invalid phrases', async () => {
        await page.getByRole('button', { name: o.import, exact: true }).click()
        await page.getByLabel(o.word(1), { exact: true }).fill([...words.slice(0, 11), 'anchr'].join(' '))
        await page.getByRole('button', { name: o.importAction, exact: true }).last().click()
        await expect(page.getByLabel(o.word(12), { exact: true })).toHaveAttribute('aria-invalid', 'true')
        await expect(page.getByText(o.wrongWords(1))).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        await page.getByLabel(o.word(1), { exact: true }).fill(Array.from({ length: 12 }, () => 'anchor').join(' '))
        await page.getByRole('button', { name: o.importAction, exact: true }).last().click()
        await expect(page.getByText(o.wrongSum)).toBeVisible()
      })
      await test.step('the phrase restores the same wallet', async () => {
        await page.getByLabel(o.word(1), { exact: true }).fill(words.join(' '))
        await password()
        await page.getByRole('button', { name: o.importAction, exact: true }).last().click()
        await expect(page.getByText(o.kept)).toBeVisible()
        await expect(page.getByRole('heading', { name: o.title }).locator('..')).toContainText(made)
      })
      await test.step('asks for the password if locked, and signs in', async () => {
        await page.getByRole('button', { name: shortAddress(made) }).click()
        await page.getByRole('menuitem', { name: t.shell.signOut }).click()
        await expect(page).toHaveURL(at('/'))
        // A reload discards the key.
        await openSignIn(page, at)
        await use(page, w.dialog.inBrowser).click()
        const unlock = page.getByRole('dialog', { name: w.prompt.connect })
        await unlock.getByRole('textbox', { name: o.password }).fill('not-the-password')
        await unlock.getByRole('button', { name: w.prompt.unlock }).click()
        await expect(unlock).toContainText(w.problems.wrongPassword)
        await unlock.getByRole('textbox', { name: o.password }).fill(PASSWORD)
        await unlock.getByRole('button', { name: w.prompt.unlock }).click()
        await page.getByRole('dialog', { name: w.prompt.text }).getByRole('button', { name: w.prompt.sign }).click()
        await expect(page).toHaveURL(at('/fileStorage'))
        expect(await address()).toBe(made)
      })
    })
  })
