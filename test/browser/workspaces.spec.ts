import { randomBytes } from 'node:crypto'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing'
import type { Page } from '@playwright/test'
import { cosmosWallet } from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { texts as wordsEn } from '../../apps/web/src/features/workspaces/texts.en.ts'
import { texts as wordsZh } from '../../apps/web/src/features/workspaces/texts.zh.ts'
import { barriers, call, data, expect, journeys, type Person, test, type View } from './world.ts'

const wordsOf = ({ lang }: View) => (lang === 'zh' ? wordsZh : wordsEn)

/** Binds a wallet of its own to somebody. @returns its key */
async function withWallet({ token }: Person): Promise<{ key: Uint8Array; account: string }> {
  const key = new Uint8Array(randomBytes(32))
  const { address, publicKey, sign } = cosmosWallet('tide', key)
  const { code } = await data<{ code: string }>('wallets.bindNonce', { address }, token)
  await data('wallets.bindKeplr', { address, publicKey, sign: await sign(code) }, token)
  return { key, account: address }
}

/** Claims, buys the smallest machine for two hours and pays for it on the chain; waits until it runs. */
async function withWorkspace({ token }: Person, key: Uint8Array, rpc: string): Promise<void> {
  await data('faucet.receive', {}, token)
  const balance = async () => Number((await data<{ balance: string }>('faucet.balance', {}, token)).balance)
  await expect.poll(balance, { timeout: 60_000 }).toBe(400)
  const machine = { cpu: 1, ram: 1, storage: 40, duration: 2, kub_name: 'distributed' }
  const { id } = await data<{ id: string }>('orders.create', machine, token)
  const payment = await data<{ token: string; execute: string; payer: string }>('orders.payment', { id }, token)
  const signer = await DirectSecp256k1Wallet.fromKey(key, 'tide')
  const client = await SigningCosmWasmClient.connectWithSigner(rpc, signer, { broadcastPollIntervalMs: 200 })
  const value = { sender: payment.payer, contract: payment.token, msg: Buffer.from(payment.execute), funds: [] }
  const fee = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
  const messages = [{ typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract', value }]
  const { transactionHash: hash } = await client.signAndBroadcast(payment.payer, messages, fee)
  client.disconnect()
  await data('orders.hash', { id, hash }, token)
  const status = async () => (await data<{ order: { status: number } }>('orders.details', { id }, token)).order.status
  await expect.poll(status, { timeout: 60_000 }).toBe(2)
}

const ticketOf = async ({ token }: Person): Promise<string> => {
  const { url } = await data<{ url: string }>('clusters.ticket', {}, token)
  return new URL(url).pathname + new URL(url).search
}

/** What a terminal shows. */
const screenOf = (page: Page) => page.locator('.xterm-rows')

/** Nothing scrolls sideways, nothing keeps anybody out. */
async function isFit(page: Page, what: string): Promise<void> {
  expect(await barriers(page), what).toEqual([])
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(over, `${what}: pixels sideways`).toBeLessThanOrEqual(0)
}

for (const view of journeys('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = wordsOf(view)
    const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
    const openMenu = (page: Page, name: string) => page.getByRole('button', { name: w.one.actions(name) }).click()

    test('what an order bought is opened by a ticket, given out, run, typed into, and left', async ({
      page,
      person,
      signIn,
      at,
      t,
    }) => {
      test.setTimeout(240_000)
      const { key, account } = await withWallet(person)
      await withWorkspace(person, key, at('/chain/rpc'))
      const ticket = await ticketOf(person)

      await test.step('the ticket leaves the address at once, and counts once', async () => {
        await page.goto(at(ticket))
        await expect(page).toHaveURL(at('/console'))
        await page.goBack()
        await expect(page).not.toHaveURL(/tnt_/)
        await page.goto(at('/console'))
        await expect(page.getByRole('heading', { name: w.spaces.title })).toBeVisible()
        expect(
          await call('clusters.enter', { account, password: new URL(at(ticket)).searchParams.get('password') }),
        ).not.toMatchObject({ code: 0 })
      })

      await test.step('a workspace says what was bought, and that its machine leaves room for another one', async () => {
        await expect(page.getByText(w.spaces.state.ready)).toBeVisible()
        await isFit(page, 'list')
        await page.getByRole('link', { name: new RegExp(`^${w.spaces.open}`) }).click()
        await expect(page.getByText(w.space.full)).toHaveCount(0)
        await expect(page.getByText(w.quota.given('30 GiB', '40 GiB'))).toBeVisible()
        await expect(page.getByText(w.space.enforced, { exact: true })).toBeVisible()
        await expect(row(page, 'machine')).toContainText(w.state.running)
        await expect(page.getByRole('link', { name: w.space.deploy })).toBeVisible()
        await isFit(page, 'workspace')
      })

      await test.step('removing the machine asks first, and makes room', async () => {
        await openMenu(page, 'machine')
        await page.getByRole('menuitem', { name: w.one.remove }).click()
        const dialog = page.getByRole('dialog', { name: w.one.removeTitle('machine') })
        await expect(dialog).toContainText(w.one.removeText)
        expect(await barriers(page)).toEqual([])
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
        await expect(row(page, 'machine')).toBeVisible()
        await openMenu(page, 'machine')
        await page.getByRole('menuitem', { name: w.one.remove }).click()
        await dialog.getByRole('button', { name: w.one.remove, exact: true }).click()
        await expect(page.getByText(w.space.none)).toBeVisible({ timeout: 20_000 })
      })

      await test.step('a program is deployed within what is left, not beyond', async () => {
        await page.getByRole('link', { name: w.space.deploy }).click()
        await page.getByRole('radio', { name: w.program.pages.name }).check()
        await page.getByLabel(w.deploy.cpu).fill('9')
        await page.getByRole('button', { name: w.deploy.envAdd }).click()
        // The new field is where one types.
        await page.keyboard.type('1BAD')
        await page.getByRole('button', { name: w.deploy.go, exact: true }).click()
        await expect(page.getByText(w.deploy.unfinished)).toBeVisible()
        await expect(page.getByText(w.deploy.tooMuch(w.quota.cores(1, '1')))).toBeVisible()
        await expect(page.getByText(w.deploy.envWrong)).toBeVisible()
        await expect(page.getByLabel(w.deploy.cpu)).toBeFocused()
        await isFit(page, 'deploy')
        await page.getByLabel(w.deploy.cpu).fill('0.5')
        await page.getByLabel(w.deploy.envName, { exact: true }).fill('GREETING')
        await page.getByLabel(`${w.deploy.envValue} GREETING`).fill('tide')
        await page.getByRole('button', { name: w.deploy.go, exact: true }).click()
        await expect(page.getByRole('heading', { name: 'pages', level: 1 })).toBeVisible()
        await expect(page.getByText(w.state.running, { exact: true })).toBeVisible({ timeout: 20_000 })
        await isFit(page, 'log')
      })

      await test.step('each of its views can be read by everybody', async () => {
        const views = [
          [w.one.usage, w.usage.span],
          [w.one.files, w.files.target],
          [w.one.settings, w.deploy.storage],
        ] as const
        for (const [name, label] of views) {
          await page.getByRole('link', { name, exact: true }).click()
          await expect(page.getByLabel(label)).toBeVisible()
          await isFit(page, name)
        }
        await expect(page.getByText('GREETING')).toBeVisible()
        // A disk does not shrink; what is free can be added.
        await page.getByLabel(w.deploy.storage).fill('0')
        await page.getByRole('button', { name: w.settings.save }).click()
        await expect(page.getByLabel(w.deploy.storage)).toHaveAttribute('aria-invalid', 'true')
        await page.getByLabel(w.deploy.storage).fill('2')
        await page.getByRole('button', { name: w.settings.save }).click()
        await expect(page.getByText(w.settings.saved)).toBeVisible()
        // Values are not shown; what is typed takes their place.
        await page.getByLabel(`${w.deploy.envValue} GREETING`).fill('good morning')
        await page.getByRole('button', { name: w.deploy.envAdd }).click()
        await page.getByLabel(w.deploy.envName, { exact: true }).last().fill('ANOTHER')
        await page.getByRole('button', { name: w.settings.apply }).click()
        await expect(page.getByText(w.settings.changed)).toBeVisible()
        await expect(page.getByText(/GREETING, ANOTHER|ANOTHER, GREETING/)).toBeVisible()
        await isFit(page, 'changed')
      })

      await test.step('files need a key to one folder: any other is refused in words', async () => {
        await page.getByRole('link', { name: w.one.files, exact: true }).click()
        await page.getByRole('button', { name: w.files.go, exact: true }).click()
        await expect(page.getByText(w.files.keyMissing)).toBeVisible()
        const { key: every } = await data<{ key: string }>('apiKeys.create', { key_name: 'every' }, person.token)
        await page.getByRole('textbox', { name: w.files.keyLabel }).fill(every)
        await page.getByRole('button', { name: w.files.go, exact: true }).click()
        await expect(page.locator('main').getByRole('alert')).toBeVisible()
      })

      await test.step('with the portal open beside it a folder is chosen; its key lives as long as the copy', async () => {
        await data('apiKeys.remove', { key_name: 'every' }, person.token)
        await data('folders.create', { name: 'Harbour', parent: 0 }, person.token)
        const here = page.url()
        await signIn(page, person)
        await page.goto(here)
        await page.getByRole('button', { name: w.files.pick }).click()
        await page.getByRole('radio', { name: 'Harbour' }).check({ force: true })
        expect(await barriers(page)).toEqual([])
        await page.getByRole('dialog').getByRole('button').last().click()
        await page.getByRole('button', { name: w.files.go, exact: true }).click()
        await expect(page.getByText(w.files.done(0, '0 B'))).toBeVisible({ timeout: 20_000 })
        await expect
          .poll(async () => (await data<{ list: unknown[] }>('apiKeys.list', {}, person.token)).list)
          .toEqual([])
      })

      await test.step('a terminal takes what is typed, ends with its shell, and says so when it breaks', async () => {
        await page.getByRole('link', { name: w.one.terminal, exact: true }).click()
        await expect(page.getByRole('textbox', { name: w.terminal.input })).toBeFocused()
        await page.keyboard.type('tide-table')
        await expect(screenOf(page)).toContainText('tide-table')
        await expect(page.getByText(w.terminal.open, { exact: true })).toBeVisible()
        await isFit(page, 'terminal')
        await page.keyboard.press('F6')
        await expect(page.getByRole('link', { name: w.terminal.back })).toBeFocused()
        await page.getByRole('textbox', { name: w.terminal.input }).focus()
        await page.keyboard.press('Control+U')
        await page.keyboard.type('exit')
        await page.keyboard.press('Enter')
        await expect(page.getByRole('button', { name: w.terminal.newShell })).toBeVisible()
        expect(await barriers(page)).toEqual([])
        await page.getByRole('button', { name: w.terminal.newShell }).click()
        await page.keyboard.type('once more')
        await expect(screenOf(page)).toContainText('once more')
        await expect(screenOf(page)).toContainText(w.terminal.fresh.slice(0, 12))
      })

      await test.step('stopped, it has no terminal; started again it has', async () => {
        await page.getByRole('link', { name: w.terminal.back }).click()
        await page.getByRole('button', { name: w.one.stop, exact: true }).click()
        await expect(page.getByText(w.state.stopped, { exact: true })).toBeVisible({ timeout: 30_000 })
        await page.goto(`${page.url().split('?')[0]}/terminal`)
        await expect(page.getByText(w.terminal.closed.stopped)).toBeVisible()
        await page.getByRole('button', { name: w.terminal.start }).click()
        await expect(page.getByText(w.terminal.closed.stopped)).toBeHidden({ timeout: 30_000 })
        await page.getByRole('textbox', { name: w.terminal.input }).focus()
        await page.keyboard.type('awake')
        await expect(screenOf(page)).toContainText('awake')
      })

      await test.step('leaving the console is not leaving the portal', async () => {
        await page.getByRole('button', { name: w.frame.leave }).click()
        await expect(page).toHaveURL(at('/console/login'))
        await page.goto(at('/console'))
        await expect(page).toHaveURL(at('/console/login'))
        await page.goto(at('/dashboard'))
        await expect(page).toHaveURL(at('/dashboard'))
        await expect(page.getByRole('button', { name: t.shell.account })).toBeVisible()
      })
    })

    test('account and password open it as well; nothing has been bought yet', async ({ page, person, at }) => {
      const { account } = await withWallet(person)
      const { kub_pwd: password } = await data<{ kub_pwd: string }>('clusters.account', {}, person.token)
      await page.goto(at('/console/workspaces/none'))
      await expect(page).toHaveURL(/\/console\/login\?next=/)
      await isFit(page, 'login')
      await page.getByRole('button', { name: w.login.open }).click()
      await expect(page.getByText(w.login.accountMissing)).toBeVisible()
      await expect(page.getByText(w.login.passwordMissing)).toBeVisible()

      // A password that an address brings leaves it, and waits for its owner.
      await page.goto(at(`/console/login?${new URLSearchParams({ account, password })}`))
      await expect(page).toHaveURL(at('/console/login'))
      await expect(page.getByText(w.login.filledIn)).toBeVisible()
      await page.getByRole('button', { name: w.login.open }).click()
      await expect(page).toHaveURL(at('/console'))
      await expect(page.getByText(w.spaces.empty)).toBeVisible()
      await expect(page.getByText(w.spaces.regionAway(w.region.centralized))).toBeVisible()
      await isFit(page, 'no workspaces')
      await page.goto(at('/console/workspaces/none'))
      await expect(page.getByText(w.space.gone)).toBeVisible()
      await page.goto(at('/console/workloads/none/terminal'))
      await expect(page.getByText(w.terminal.closed.unknown)).toBeVisible()
    })

    test('refused: who is only signed in to the portal, wrong passwords, spent tickets, tickets of others', async ({
      page,
      person,
      signIn,
      at,
    }) => {
      const { account } = await withWallet(person)
      await data('clusters.account', {}, person.token)
      await signIn(page, person)
      await page.goto(at('/console'))
      await expect(page).toHaveURL(at('/console/login'))
      await page.getByLabel(w.login.account).fill(account)
      await page.getByLabel(w.login.password, { exact: true }).fill('Tide-2026.no')
      await page.getByRole('button', { name: w.login.open }).click()
      await expect(page.locator('form').getByRole('alert')).toBeVisible()

      const ticket = await ticketOf(person)
      const given = new URL(at(ticket)).searchParams
      expect((await call('clusters.enter', { account, password: given.get('password') })).code).toBe(0)
      await page.goto(at(ticket))
      await expect(page.getByText(w.login.ticketSpent)).toBeVisible()
      await expect(page).toHaveURL(at('/console/login'))
      await expect(page.getByLabel(w.login.account)).toHaveValue(account)
      expect(await barriers(page)).toEqual([])

      const fresh = new URL(at(await ticketOf(person))).searchParams.get('password') ?? ''
      const stranger = cosmosWallet().address
      await page.goto(at(`/console/login?${new URLSearchParams({ account: stranger, ticket: fresh })}`))
      await expect(page.locator('form').getByRole('alert')).toBeVisible()
      await expect(page).toHaveURL(at('/console/login'))
      expect(await page.evaluate(() => localStorage.getItem('tidenet.workspaces'))).toBeNull()
    })
  })
