import pg from 'pg'
import { texts as recentAuthEn } from '../../apps/web/src/features/recent-auth/texts.en.ts'
import { texts as recentAuthZh } from '../../apps/web/src/features/recent-auth/texts.zh.ts'
import { faucetWords } from './chain-helpers.ts'
import { accessibilityViolations, data, expect, type TestUser, test, viewsFor } from './test-env.ts'
import { installWallets } from './wallet-extensions.ts'
import { shortAddress, walletSteps } from './wallet-helpers.ts'

/** Makes the session's sign-in older than an hour. */
async function openForLong({ uid }: TestUser): Promise<void> {
  const client = new pg.Client({ connectionString: String(process.env.TIDENET_BROWSER_DATABASE) })
  await client.connect()
  await client.query(
    `update sessions set created_at = created_at - interval '70 minutes' where user_id = (select id from users where uid = $1)`,
    [uid],
  )
  await client.end()
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const { w, openSignIn, use, inDialog } = walletSteps(view)

    test('adds the chain to a wallet, signs in with it and out', async ({ page, context, at, t }) => {
      const wallets = await installWallets(context, { kinds: ['cosmos'], unknownChain: true })
      const { cosmos } = wallets
      await openSignIn(page, at)
      expect(await accessibilityViolations(page)).toEqual([])
      await use(page, 'Keplr').click()
      await expect(page).toHaveURL(at('/fileStorage'))
      await expect(page.getByRole('button', { name: shortAddress(cosmos.address) })).toBeVisible()

      await test.step('the message names site, wallet and purpose', () => {
        expect(cosmos.asked.map(({ what }) => what)).toEqual(['suggest', 'connect', 'text'])
        const text = cosmos.asked.at(-1)?.text ?? ''
        expect(text).toContain(new URL(at('/')).host)
        expect(text).toContain(cosmos.address)
      })
      await test.step('switching the wallet’s account shows both and keeps the session', async () => {
        const long = (address: string) => `${address.slice(0, 8)}…${address.slice(-6)}`
        const before = cosmos.address
        // The page listens to the wallet once it is idle.
        await page.reload({ waitUntil: 'networkidle' })
        await wallets.changeCosmosAccount()
        await expect(page.getByText(w.session.accountChanged(long(cosmos.address), long(before)))).toBeVisible()
        await expect(page.getByRole('button', { name: shortAddress(before) })).toBeVisible()
        await wallets.changeCosmosAccount()
      })
      await test.step('the next sign-in opens the same account', async () => {
        const uid = () => page.evaluate(() => JSON.parse(localStorage.getItem('tidenet.login') ?? '{}').state)
        const first = await uid()
        expect(first.loginType).toBe(3)
        await context.grantPermissions(['clipboard-read', 'clipboard-write'])
        await page.getByRole('button', { name: shortAddress(cosmos.address) }).click()
        // The header shows a short form and copies the full address.
        await page.getByRole('menuitem', { name: t.shell.copyAddress }).click()
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(cosmos.address)
        await page.getByRole('button', { name: shortAddress(cosmos.address) }).click()
        await page.getByRole('menuitem', { name: t.shell.signOut }).click()
        await expect(page).toHaveURL(at('/'))
        await openSignIn(page, at)
        await use(page, 'Keplr').click()
        await expect(page).toHaveURL(at('/fileStorage'))
        expect((await uid()).address).toBe(first.address)
      })
    })

    test('an EVM wallet signs in; switching its network signs out with a reason', { tag: '@long' }, async ({
      page,
      context,
      at,
    }) => {
      const wallets = await installWallets(context, { kinds: ['evm'] })
      await openSignIn(page, at)
      await use(page, 'Lighthouse').click()
      await expect(page).toHaveURL(at('/fileStorage'))
      await expect(page.getByRole('button', { name: shortAddress(wallets.evm.address) })).toBeVisible()
      expect(wallets.evm.asked.at(-1)?.text).toContain(wallets.evm.address)
      // From now on the page listens to the wallet, also after a reload.
      await page.reload({ waitUntil: 'networkidle' })
      await expect(page.getByRole('button', { name: shortAddress(wallets.evm.address) })).toBeVisible()
      await wallets.changeEvmChain('0x2a')
      await expect(page.getByText(w.session.chainChanged)).toBeVisible()
      await expect(page).toHaveURL(at('/'))
      await page.goto(at('/dashboard'))
      await expect(page).toHaveURL(/\/\?redirect=/)
    })

    test('stays signed out if the wallet declines, and can be retried', { tag: '@long' }, async ({
      page,
      context,
      at,
    }) => {
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

    test('the test coin page asks for a wallet; closing goes back, linking shows the wallet', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
      t,
    }) => {
      const wallets = await installWallets(context)
      const { cosmos } = wallets
      await signIn(page, user)
      await page.goto(at('/dashboard'))
      await page.goto(at('/testCoin'))
      const dialog = page.getByRole('dialog', { name: w.dialog.bind })
      await expect(dialog).toContainText(faucetWords(view).needed)
      await dialog.getByRole('button', { name: t.words.close }).click()
      await expect(page).toHaveURL(at('/dashboard'))

      await page.goto(at('/testCoin'))
      await expect(use(page, 'Keplr')).toBeVisible()
      // Only wallets of this chain can pay orders.
      await expect(use(page, 'Lighthouse')).toHaveCount(0)
      expect(await accessibilityViolations(page)).toEqual([])
      cosmos.approve = false
      await use(page, 'Keplr').click()
      await expect(dialog.getByRole('alert')).toHaveText(w.problems.rejected)
      cosmos.approve = true
      await use(page, 'Keplr').click()
      await expect(dialog).toHaveCount(0)
      const strip = page.getByRole('region', { name: w.strip.bound })
      await expect(strip).toContainText(cosmos.address.slice(0, 12))
      // A wallet that was just linked needs no second choice.
      await expect(strip).toContainText(w.strip.connected('Keplr'))
      expect(cosmos.asked.at(-1)?.text).toContain(user.uid)
      const info = await data<{ keplr: string }>('wallets.bindInfo', {}, user.token)
      expect(info.keplr).toBe(cosmos.address)

      await test.step('another account in the wallet: both addresses are shown', async () => {
        const linked = cosmos.address
        await page.reload()
        await strip.getByRole('button', { name: w.strip.connect }).click()
        await use(page, 'Keplr').click()
        await expect(strip).toContainText(w.strip.connected('Keplr'))
        await wallets.changeCosmosAccount()
        await expect(strip.getByRole('alert')).toContainText(w.strip.mismatch)
        await expect(strip).toContainText(linked)
        await expect(strip).toContainText(cosmos.address)
        expect(cosmos.address).not.toBe(linked)
        expect(await accessibilityViolations(page)).toEqual([])
        await wallets.changeCosmosAccount()
        await expect(strip).toContainText(w.strip.connected('Keplr'))
      })
    })

    test('links both kinds on the account page; unlinking starts a 24-hour cooldown', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      const wallets = await installWallets(context)
      const { cosmos, evm } = wallets
      await test.step('links one of each kind', async () => {
        await signIn(page, user)
        await page.goto(at('/myAccount'))
        await page.getByRole('button', { name: w.card.bindKind.cosmos }).click()
        await use(page, 'Keplr').click()
        await expect(page.getByText(cosmos.address)).toBeVisible()
        await page.getByRole('button', { name: w.card.bindKind.evm }).click()
        await use(page, 'Lighthouse').click()
        await expect(page.getByText(evm.address)).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
      })
      await test.step('unlinks and shows the cooldown', async () => {
        await page.getByRole('button', { name: w.card.unbindKind.cosmos }).click()
        await expect(inDialog(page)).toContainText(w.card.confirm.coolDown(24))
        await inDialog(page).getByRole('button', { name: w.card.confirm.keep }).click()
        await expect(page.getByText(cosmos.address)).toBeVisible()
        await page.getByRole('button', { name: w.card.unbindKind.cosmos }).click()
        expect(await accessibilityViolations(page)).toEqual([])
        await inDialog(page).getByRole('button', { name: w.card.unbind, exact: true }).click()
        await expect(page.getByRole('button', { name: w.card.bindKind.cosmos })).toBeVisible()
      })
      await test.step('rejects another wallet until then with the server’s message; accepts the same one', async () => {
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

    test('linking in an old session asks to verify the identity; cancelling links nothing', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      test.skip(!process.env.TIDENET_BROWSER_DATABASE, 'needs the database of the network')
      const p = view.lang === 'zh' ? recentAuthZh : recentAuthEn
      const { cosmos } = await installWallets(context, { kinds: ['cosmos'] })
      await signIn(page, user)
      await openForLong(user)
      await page.goto(at('/myAccount'))
      const proof = page.getByRole('dialog', { name: p.title })
      await test.step('cancelled: the wallet is not linked, and can be selected again', async () => {
        await page.getByRole('button', { name: w.card.bindKind.cosmos }).click()
        await use(page, 'Keplr').click()
        await expect(proof).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        await page.keyboard.press('Escape')
        await expect(proof).toHaveCount(0)
        await expect(use(page, 'Keplr')).toBeVisible()
      })
      await test.step('the wallet signs only after the user is verified', async () => {
        await use(page, 'Keplr').click()
        const asked = () => cosmos.asked.filter(({ what }) => what === 'text').length
        await expect(proof).toBeVisible()
        expect(asked()).toBe(0)
        await proof.getByLabel(p.password, { exact: true }).fill(user.password)
        await proof.getByRole('button', { name: p.go, exact: true }).click()
        await expect(page.getByText(cosmos.address)).toBeVisible()
        expect(asked()).toBe(1)
      })
    })

    test('rejects a wallet that is linked to another account', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      const { cosmos } = await installWallets(context, { kinds: ['cosmos'] })
      await openSignIn(page, at)
      await use(page, 'Keplr').click()
      await expect(page).toHaveURL(at('/fileStorage'))
      await page.goto(at('/myAccount'))
      await expect(page.getByText(cosmos.address)).toBeVisible()

      await test.step('the only sign-in method cannot be removed', async () => {
        await page.getByRole('button', { name: w.card.unbindKind.cosmos }).click()
        await expect(inDialog(page)).toContainText(w.card.last)
        await expect(inDialog(page).getByRole('button', { name: w.card.unbind, exact: true })).toBeDisabled()
        await inDialog(page).getByRole('button', { name: w.card.confirm.keep }).click()
      })
      await test.step('another account with the same key cannot link it', async () => {
        await signIn(page, user)
        await page.goto(at('/testCoin'))
        await use(page, 'Keplr').click()
        const said = inDialog(page).getByRole('alert')
        await expect(said).toHaveText(view.lang === 'zh' ? /^\p{Script=Han}[\p{Script=Han}，。]+$/u : /account/)
        expect((await data<{ keplr: string }>('wallets.bindInfo', {}, user.token)).keplr).toBe('')
      })
    })

    test('without an extension, offers to install one or to use the browser wallet', { tag: '@long' }, async ({
      page,
      at,
    }) => {
      await openSignIn(page, at)
      await expect(inDialog(page)).toContainText(w.dialog.none)
      expect(await accessibilityViolations(page)).toEqual([])
      for (const name of ['Keplr', 'MetaMask']) {
        const link = inDialog(page).getByRole('link', { name: w.dialog.install(name) })
        const opening = page.waitForEvent('popup')
        await link.click()
        const opened = await opening
        await expect(opened).toHaveURL(/\/redirect\?url=/)
        // The link goes through /redirect, which asks first.
        await expect(opened.locator('main a[href^="https://"]')).toBeVisible()
        await opened.close()
      }
      await expect(inDialog(page).getByRole('button', { name: w.dialog.create })).toBeVisible()
    })
  })
