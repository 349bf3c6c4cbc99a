import { WALLET_MASK } from '@tidenet/contract'
import { cosmosWallet } from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { accessibilityViolations, call, createUser, data, expect, test, viewsFor } from './test-env.ts'
import { consoleTokenOf, expectUsable, linkNewWallet, wordsOf } from './workspace-helpers.ts'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = wordsOf(view)

    test('signs in with account and password, without any orders', { tag: '@long' }, async ({ page, user, at }) => {
      const { account } = await linkNewWallet(user)
      const { kub_pwd: password } = await data<{ kub_pwd: string }>('clusters.account', {}, user.token)
      await page.goto(at('/console/workspaces/none'))
      await expect(page).toHaveURL(/\/console\/login\?next=/)
      await expectUsable(page, 'login')
      await page.getByRole('button', { name: w.login.open }).click()
      await expect(page.getByText(w.login.accountMissing)).toBeVisible()
      await expect(page.getByText(w.login.passwordMissing)).toBeVisible()

      // A password in the URL is removed from it. Unless the portal is signed in to this account, it only fills the form.
      await page.goto(at(`/console/login?${new URLSearchParams({ account, password })}`))
      await expect(page).toHaveURL(at('/console/login'))
      await expect(page.getByText(w.login.filledIn)).toBeVisible()
      await page.getByRole('button', { name: w.login.open }).click()
      await expect(page).toHaveURL(at('/console'))
      await expect(page.getByText(w.spaces.empty)).toBeVisible()
      await expect(page.getByText(w.spaces.regionAway(w.region.centralized))).toBeVisible()
      await expectUsable(page, 'no workspaces')
      await page.goto(at('/console/workspaces/none'))
      await expect(page.getByText(w.space.gone)).toBeVisible()
      await page.goto(at('/console/workloads/none/terminal'))
      await expect(page.getByText(w.terminal.closed.unknown)).toBeVisible()
    })

    test('needs no second sign-in where the portal is signed in to the same account', { tag: '@long' }, async ({
      page,
      user,
      visitor,
      signIn,
      at,
    }) => {
      const { account } = await linkNewWallet(user)
      const { kub_pwd: password } = await data<{ kub_pwd: string }>('clusters.account', {}, user.token)
      await signIn(page, user)
      const link = at(`/console/login?${new URLSearchParams({ account, password })}`)
      await test.step('with account and password in the URL', async () => {
        await page.goto(link)
        await expect(page).toHaveURL(at('/console'))
        await expect(page.getByText(w.spaces.empty)).toBeVisible()
        await page.getByRole('button', { name: w.frame.leave }).click()
        await expect(page).toHaveURL(at('/console/login'))
      })
      await test.step('with one click without them', async () => {
        await page.goto(at('/console'))
        const masked = `${account.slice(0, WALLET_MASK.head)}…${account.slice(-WALLET_MASK.tail)}`
        const button = page.getByRole('button', { name: w.login.continueAs(masked) })
        await expect(button).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        await button.click()
        await expect(page.getByText(w.spaces.empty)).toBeVisible()
      })
      await test.step('a link with the credentials of someone else only fills the form', async () => {
        const other = await visitor()
        await signIn(other, await createUser())
        await other.goto(link)
        await expect(other.getByText(w.login.filledIn)).toBeVisible()
        expect(await other.evaluate(() => localStorage.getItem('tidenet.workspaces'))).toBeNull()
      })
    })

    test('rejects portal sessions, wrong passwords, and used or foreign console tokens', async ({
      page,
      user,
      signIn,
      at,
    }) => {
      const { account } = await linkNewWallet(user)
      await data('clusters.account', {}, user.token)
      await signIn(page, user)
      await page.goto(at('/console'))
      await expect(page).toHaveURL(at('/console/login'))
      await page.getByLabel(w.login.account).fill(account)
      await page.getByLabel(w.login.password, { exact: true }).fill('Tide-2026.no')
      await page.getByRole('button', { name: w.login.open }).click()
      await expect(page.locator('form').getByRole('alert')).toBeVisible()

      const ticket = await consoleTokenOf(user)
      const given = new URL(at(ticket)).searchParams
      expect((await call('clusters.enter', { account, password: given.get('password') })).code).toBe(0)
      await page.goto(at(ticket))
      await expect(page.getByText(w.login.ticketSpent)).toBeVisible()
      await expect(page).toHaveURL(at('/console/login'))
      await expect(page.getByLabel(w.login.account)).toHaveValue(account)
      expect(await accessibilityViolations(page)).toEqual([])

      const fresh = new URL(at(await consoleTokenOf(user))).searchParams.get('password') ?? ''
      const stranger = cosmosWallet().address
      await page.goto(at(`/console/login?${new URLSearchParams({ account: stranger, ticket: fresh })}`))
      await expect(page.locator('form').getByRole('alert')).toBeVisible()
      await expect(page).toHaveURL(at('/console/login'))
      expect(await page.evaluate(() => localStorage.getItem('tidenet.workspaces'))).toBeNull()
    })
  })
