import type { Page } from '@playwright/test'
import pg from 'pg'
import { texts as accountsEn } from '../../apps/web/src/features/accounts/texts.en.ts'
import { texts as accountsZh } from '../../apps/web/src/features/accounts/texts.zh.ts'
import { texts as securityEn } from '../../apps/web/src/features/security/texts.en.ts'
import { texts as securityZh } from '../../apps/web/src/features/security/texts.zh.ts'
import { texts as walletEn } from '../../apps/web/src/features/wallet/texts.en.ts'
import { texts as walletZh } from '../../apps/web/src/features/wallet/texts.zh.ts'
import { installWallets } from './installed-wallets.ts'
import { barriers, data, expect, journeys, type Person, test, type View } from './world.ts'

const PASSWORD = 'harbour-light-7'

/** As if the person had signed in more than an hour ago. */
async function openForLong({ uid }: Person): Promise<void> {
  const client = new pg.Client({ connectionString: String(process.env.TIDENET_BROWSER_DATABASE) })
  await client.connect()
  await client.query(
    `update sessions set created_at = created_at - interval '70 minutes' where user_id = (select id from users where uid = $1)`,
    [uid],
  )
  await client.end()
}

const wordsOf = ({ lang }: View) => (lang === 'zh' ? walletZh : walletEn)
const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

for (const view of journeys('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = wordsOf(view)
    const walletIn = (view.lang === 'zh' ? accountsZh : accountsEn).walletIn

    /** The dialog of /login, with the wallets that were found. */
    const openSignIn = async (page: Page, at: (path: string) => string) => {
      await page.goto(at('/login'))
      await page.getByRole('button', { name: walletIn }).click()
      await expect(page.getByRole('dialog', { name: w.dialog.signIn })).toBeVisible()
    }
    const use = (page: Page, name: string) => page.getByRole('button', { name: w.dialog.use(name) })
    const inDialog = (page: Page) => page.getByRole('dialog')

    test('a wallet of the network signs in and out, after it was told of the chain', async ({
      page,
      context,
      at,
      t,
    }) => {
      const wallets = await installWallets(context, { kinds: ['cosmos'], unknownChain: true })
      const { cosmos } = wallets
      await openSignIn(page, at)
      expect(await barriers(page)).toEqual([])
      await use(page, 'Keplr').click()
      await expect(page).toHaveURL(at('/fileStorage'))
      await expect(page.getByRole('button', { name: short(cosmos.address) })).toBeVisible()

      await test.step('what was asked names the site, the wallet and what it is for', () => {
        expect(cosmos.asked.map(({ what }) => what)).toEqual(['suggest', 'connect', 'text'])
        const text = cosmos.asked.at(-1)?.text ?? ''
        expect(text).toContain(new URL(at('/')).host)
        expect(text).toContain(cosmos.address)
      })
      await test.step('another account in the wallet is told, with both; who is signed in stays the same', async () => {
        const long = (address: string) => `${address.slice(0, 8)}…${address.slice(-6)}`
        const before = cosmos.address
        // The page follows the wallet once it has come to rest.
        await page.reload({ waitUntil: 'networkidle' })
        await wallets.changeCosmosAccount()
        await expect(page.getByText(w.session.accountChanged(long(cosmos.address), long(before)))).toBeVisible()
        await expect(page.getByRole('button', { name: short(before) })).toBeVisible()
        await wallets.changeCosmosAccount()
      })
      await test.step('the account is that of the wallet, the next time as well', async () => {
        const uid = () => page.evaluate(() => JSON.parse(localStorage.getItem('tidenet.login') ?? '{}').state)
        const first = await uid()
        expect(first.loginType).toBe(3)
        await context.grantPermissions(['clipboard-read', 'clipboard-write'])
        await page.getByRole('button', { name: short(cosmos.address) }).click()
        // What the header shows in short can be copied whole.
        await page.getByRole('menuitem', { name: t.shell.copyAddress }).click()
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(cosmos.address)
        await page.getByRole('button', { name: short(cosmos.address) }).click()
        await page.getByRole('menuitem', { name: t.shell.signOut }).click()
        await expect(page).toHaveURL(at('/'))
        await openSignIn(page, at)
        await use(page, 'Keplr').click()
        await expect(page).toHaveURL(at('/fileStorage'))
        expect((await uid()).address).toBe(first.address)
      })
    })

    test('an EVM wallet signs in; another network in it signs out and says why', async ({ page, context, at }) => {
      const wallets = await installWallets(context, { kinds: ['evm'] })
      await openSignIn(page, at)
      await use(page, 'Lighthouse').click()
      await expect(page).toHaveURL(at('/fileStorage'))
      await expect(page.getByRole('button', { name: short(wallets.evm.address) })).toBeVisible()
      expect(wallets.evm.asked.at(-1)?.text).toContain(wallets.evm.address)
      // The page follows the wallet from now on, also when it was loaded again.
      await page.reload({ waitUntil: 'networkidle' })
      await expect(page.getByRole('button', { name: short(wallets.evm.address) })).toBeVisible()
      await wallets.changeEvmChain('0x2a')
      await expect(page.getByText(w.session.chainChanged)).toBeVisible()
      await expect(page).toHaveURL(at('/'))
      await page.goto(at('/dashboard'))
      await expect(page).toHaveURL(/\/\?redirect=/)
    })

    test('refused in the wallet: nobody is signed in, and it can be tried again', async ({ page, context, at }) => {
      const { cosmos, evm } = await installWallets(context)
      cosmos.approve = false
      evm.approve = false
      await openSignIn(page, at)
      for (const name of ['Keplr', 'Lighthouse']) {
        await use(page, name).click()
        await expect(inDialog(page).getByRole('alert')).toHaveText(w.problems.rejected)
      }
      await expect(page).toHaveURL(at('/login'))
      cosmos.approve = true
      await use(page, 'Keplr').click()
      await expect(page).toHaveURL(at('/fileStorage'))
    })

    test('the page of test coin asks for a wallet; closing goes back, binding shows it', async ({
      page,
      context,
      person,
      signIn,
      at,
      t,
    }) => {
      const wallets = await installWallets(context)
      const { cosmos } = wallets
      await signIn(page, person)
      await page.goto(at('/dashboard'))
      await page.goto(at('/testCoin'))
      const dialog = page.getByRole('dialog', { name: w.dialog.bind })
      await expect(dialog).toContainText(w.dialog.needed)
      await dialog.getByRole('button', { name: t.words.close }).click()
      await expect(page).toHaveURL(at('/dashboard'))

      await page.goto(at('/testCoin'))
      await expect(use(page, 'Keplr')).toBeVisible()
      // Orders are paid by wallets of the network alone.
      await expect(use(page, 'Lighthouse')).toHaveCount(0)
      expect(await barriers(page)).toEqual([])
      cosmos.approve = false
      await use(page, 'Keplr').click()
      await expect(dialog.getByRole('alert')).toHaveText(w.problems.rejected)
      cosmos.approve = true
      await use(page, 'Keplr').click()
      await expect(dialog).toHaveCount(0)
      const strip = page.getByRole('region', { name: w.strip.bound })
      await expect(strip).toContainText(cosmos.address.slice(0, 12))
      expect(cosmos.asked.at(-1)?.text).toContain(person.uid)
      const info = await data<{ keplr: string }>('wallets.bindInfo', {}, person.token)
      expect(info.keplr).toBe(cosmos.address)

      await test.step('another account in the wallet: both addresses are shown', async () => {
        const bound = cosmos.address
        await page.reload()
        await strip.getByRole('button', { name: w.strip.connect }).click()
        await use(page, 'Keplr').click()
        await expect(strip).toContainText(w.strip.connected('Keplr'))
        await wallets.changeCosmosAccount()
        await expect(strip.getByRole('alert')).toContainText(w.strip.mismatch)
        await expect(strip).toContainText(bound)
        await expect(strip).toContainText(cosmos.address)
        expect(cosmos.address).not.toBe(bound)
        expect(await barriers(page)).toEqual([])
        await wallets.changeCosmosAccount()
        await expect(strip).toContainText(w.strip.connected('Keplr'))
      })
    })

    test('both kinds are bound on the account page; unbinding begins a day of waiting', async ({
      page,
      context,
      person,
      signIn,
      at,
    }) => {
      const wallets = await installWallets(context)
      const { cosmos, evm } = wallets
      await test.step('bound, one of each', async () => {
        await signIn(page, person)
        await page.goto(at('/myAccount'))
        await page.getByRole('button', { name: w.card.bindKind.cosmos }).click()
        await use(page, 'Keplr').click()
        await expect(page.getByText(cosmos.address)).toBeVisible()
        await page.getByRole('button', { name: w.card.bindKind.evm }).click()
        await use(page, 'Lighthouse').click()
        await expect(page.getByText(evm.address)).toBeVisible()
        expect(await barriers(page)).toEqual([])
      })
      await test.step('unbound, with a word about the wait', async () => {
        await page.getByRole('button', { name: w.card.unbindKind.cosmos }).click()
        await expect(inDialog(page)).toContainText(w.card.confirm.coolDown(24))
        await inDialog(page).getByRole('button', { name: w.card.confirm.keep }).click()
        await expect(page.getByText(cosmos.address)).toBeVisible()
        await page.getByRole('button', { name: w.card.unbindKind.cosmos }).click()
        expect(await barriers(page)).toEqual([])
        await inDialog(page).getByRole('button', { name: w.card.unbind, exact: true }).click()
        await expect(page.getByRole('button', { name: w.card.bindKind.cosmos })).toBeVisible()
      })
      await test.step('another wallet is refused until then, in the words of the server; the same one is taken', async () => {
        cosmos.next()
        await page.getByRole('button', { name: w.card.bindKind.cosmos }).click()
        await use(page, 'Keplr').click()
        await expect(inDialog(page).getByRole('alert')).toContainText('24')
        cosmos.next()
        await use(page, 'Keplr').click()
        await expect(inDialog(page)).toHaveCount(0)
        await expect(page.getByText(cosmos.address)).toBeVisible()
      })
    })

    test('in a session that has been open for long, binding asks who is there; giving up binds nothing', async ({
      page,
      context,
      person,
      signIn,
      at,
    }) => {
      test.skip(!process.env.TIDENET_BROWSER_DATABASE, 'needs the database of the network')
      const p = (view.lang === 'zh' ? securityZh : securityEn).prove
      const { cosmos } = await installWallets(context, { kinds: ['cosmos'] })
      await signIn(page, person)
      await openForLong(person)
      await page.goto(at('/myAccount'))
      const proof = page.getByRole('dialog', { name: p.title })
      await test.step('given up: the wallet is not bound, and can be chosen again', async () => {
        await page.getByRole('button', { name: w.card.bindKind.cosmos }).click()
        await use(page, 'Keplr').click()
        await expect(proof).toBeVisible()
        expect(await barriers(page)).toEqual([])
        await page.keyboard.press('Escape')
        await expect(proof).toHaveCount(0)
        await expect(use(page, 'Keplr')).toBeVisible()
      })
      await test.step('proved: what the wallet has signed is sent again', async () => {
        await use(page, 'Keplr').click()
        const asked = () => cosmos.asked.filter(({ what }) => what === 'text').length
        await expect(proof).toBeVisible()
        const before = asked()
        await proof.getByLabel(p.password, { exact: true }).fill(person.password)
        await proof.getByRole('button', { name: p.go, exact: true }).click()
        await expect(page.getByText(cosmos.address)).toBeVisible()
        expect(asked()).toBe(before)
      })
    })

    test('a wallet that another account has is refused', async ({ page, context, person, signIn, at }) => {
      const { cosmos } = await installWallets(context, { kinds: ['cosmos'] })
      await openSignIn(page, at)
      await use(page, 'Keplr').click()
      await expect(page).toHaveURL(at('/fileStorage'))
      await page.goto(at('/myAccount'))
      await expect(page.getByText(cosmos.address)).toBeVisible()

      await test.step('the only way in cannot be given up', async () => {
        await page.getByRole('button', { name: w.card.unbindKind.cosmos }).click()
        await expect(inDialog(page)).toContainText(w.card.last)
        await expect(inDialog(page).getByRole('button', { name: w.card.unbind, exact: true })).toBeDisabled()
        await inDialog(page).getByRole('button', { name: w.card.confirm.keep }).click()
      })
      await test.step('somebody else who holds its key gets it not', async () => {
        await signIn(page, person)
        await page.goto(at('/testCoin'))
        await use(page, 'Keplr').click()
        const said = inDialog(page).getByRole('alert')
        await expect(said).toHaveText(view.lang === 'zh' ? /^\p{Script=Han}[\p{Script=Han}，。]+$/u : /account/)
        expect((await data<{ keplr: string }>('wallets.bindInfo', {}, person.token)).keplr).toBe('')
      })
    })

    test('without an extension there is a way to get one, and a wallet without', async ({ page, at }) => {
      await openSignIn(page, at)
      await expect(inDialog(page)).toContainText(w.dialog.none)
      expect(await barriers(page)).toEqual([])
      for (const name of ['Keplr', 'MetaMask']) {
        const link = inDialog(page).getByRole('link', { name: w.dialog.install(name) })
        const opening = page.waitForEvent('popup')
        await link.click()
        const opened = await opening
        await expect(opened).toHaveURL(/\/redirect\?url=/)
        // The way out is one that the portal knows, and asks before it is taken.
        await expect(opened.locator('main a[href^="https://"]')).toBeVisible()
        await opened.close()
      }
      await expect(inDialog(page).getByRole('button', { name: w.dialog.create })).toBeVisible()
    })

    test('the wallet of this browser: made, backed up, removed, brought back by its words', async ({ page, at, t }) => {
      test.slow()
      const o = w.own
      const password = async () => {
        await page.getByRole('textbox', { name: o.password, exact: true }).fill(PASSWORD)
        await page.getByRole('textbox', { name: o.repeat, exact: true }).fill(PASSWORD)
      }
      let words: string[] = []
      await test.step('made, and kept only when its words were written down', async () => {
        await openSignIn(page, at)
        await inDialog(page).getByRole('button', { name: w.dialog.create }).click()
        await page.getByRole('textbox', { name: o.password, exact: true }).fill('short')
        await page.getByRole('button', { name: o.toWords }).click()
        await expect(page.getByText(o.passwordShort)).toBeVisible()
        await password()
        await page.getByRole('button', { name: o.toWords }).click()
        const items = inDialog(page).locator('ol > li')
        await expect(items).toHaveCount(12)
        words = (await items.allInnerTexts()).map((text) => text.replace(/\d+/, '').trim())
        expect(await barriers(page)).toEqual([])
        await page.getByRole('button', { name: o.wordsDone }).click()
        const finish = page.getByRole('button', { name: o.finish })
        await expect(finish).toBeDisabled()
        const questions = inDialog(page).getByRole('group')
        await expect(questions).toHaveCount(3)
        for (const question of await questions.all()) {
          const number = Number(/\d+/.exec(await question.locator('legend').innerText())?.[0])
          const right = words[number - 1] ?? ''
          const choices = await question.getByRole('button').allInnerTexts()
          const other = choices.find((choice) => choice !== right) ?? ''
          await question.getByRole('button', { name: other, exact: true }).click()
          await expect(question).toContainText(o.wrong)
          await question.getByRole('button', { name: right, exact: true }).click()
          await expect(question).not.toContainText(o.wrong)
        }
        expect(await barriers(page)).toEqual([])
        await finish.click()
      })
      await test.step('it signs what is shown, and nothing that is refused', async () => {
        const prompt = page.getByRole('dialog', { name: w.prompt.text })
        await expect(prompt).toContainText(new URL(at('/')).host)
        expect(await barriers(page)).toEqual([])
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

      await test.step('its words are shown again for the password alone', async () => {
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
        expect(await barriers(page)).toEqual([])
      })
      await test.step('nothing that lies in the browser holds the words or the password', async () => {
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
      await test.step('removed after typing, with its keys', async () => {
        await page.getByRole('button', { name: o.toRemove }).click()
        const remove = page.getByRole('button', { name: o.remove })
        await expect(remove).toBeDisabled()
        await page.getByRole('textbox', { name: o.removeType(o.removeWord) }).fill(o.removeWord)
        await remove.click()
        await expect(page.getByText(o.removed)).toBeVisible()
        await expect(page.getByRole('button', { name: o.create, exact: true })).toBeVisible()
      })
      await test.step('slips are told by their place, and what makes no wallet', async () => {
        await page.getByRole('button', { name: o.import, exact: true }).click()
        await page.getByLabel(o.word(1), { exact: true }).fill([...words.slice(0, 11), 'anchr'].join(' '))
        await page.getByRole('button', { name: o.importAction, exact: true }).last().click()
        await expect(page.getByLabel(o.word(12), { exact: true })).toHaveAttribute('aria-invalid', 'true')
        await expect(page.getByText(o.wrongWords(1))).toBeVisible()
        expect(await barriers(page)).toEqual([])
        await page.getByLabel(o.word(1), { exact: true }).fill(Array.from({ length: 12 }, () => 'anchor').join(' '))
        await page.getByRole('button', { name: o.importAction, exact: true }).last().click()
        await expect(page.getByText(o.wrongSum)).toBeVisible()
      })
      await test.step('the words bring the same wallet back', async () => {
        await page.getByLabel(o.word(1), { exact: true }).fill(words.join(' '))
        await password()
        await page.getByRole('button', { name: o.importAction, exact: true }).last().click()
        await expect(page.getByText(o.kept)).toBeVisible()
        await expect(page.getByRole('heading', { name: o.title }).locator('..')).toContainText(made)
      })
      await test.step('locked, it asks for its password and signs in', async () => {
        await page.getByRole('button', { name: short(made) }).click()
        await page.getByRole('menuitem', { name: t.shell.signOut }).click()
        await expect(page).toHaveURL(at('/'))
        // A page that is loaded again knows no key.
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
