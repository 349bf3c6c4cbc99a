import { randomBytes } from 'node:crypto'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing'
import type { Page } from '@playwright/test'
import { WALLET_MASK } from '@tidenet/contract'
import { cosmosWallet } from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { texts as folderEn } from '../../apps/web/src/features/workspaces/folder-texts.en.ts'
import { texts as folderZh } from '../../apps/web/src/features/workspaces/folder-texts.zh.ts'
import { texts as wordsEn } from '../../apps/web/src/features/workspaces/texts.en.ts'
import { texts as wordsZh } from '../../apps/web/src/features/workspaces/texts.zh.ts'
import {
  accessibilityViolations,
  call,
  createUser,
  data,
  expect,
  type TestUser,
  test,
  type View,
  viewsFor,
} from './test-env.ts'

const wordsOf = ({ lang }: View) => (lang === 'zh' ? wordsZh : wordsEn)

/** Links a new wallet to an account. @returns its key */
async function linkNewWallet({ token }: TestUser): Promise<{ key: Uint8Array; account: string }> {
  const key = new Uint8Array(randomBytes(32))
  const { address, publicKey, sign } = cosmosWallet('tide', key)
  const { code } = await data<{ code: string }>('wallets.bindNonce', { address }, token)
  await data('wallets.bindKeplr', { address, publicKey, sign: await sign(code) }, token)
  return { key, account: address }
}

/** Claims coins, orders the smallest workspace for two hours, pays it on the chain and waits until it runs. */
async function buyWorkspace({ token }: TestUser, key: Uint8Array, rpc: string): Promise<void> {
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

const consoleTokenOf = async ({ token }: TestUser): Promise<string> => {
  const { url } = await data<{ url: string }>('clusters.ticket', {}, token)
  return new URL(url).pathname + new URL(url).search
}

/** The output of the terminal. */
const screenOf = (page: Page) => page.locator('.xterm-rows')

/** Checks that the page has no horizontal overflow and is accessible. */
async function expectUsable(page: Page, what: string): Promise<void> {
  expect(await accessibilityViolations(page), what).toEqual([])
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(over, `${what}: pixels overflowX`).toBeLessThanOrEqual(0)
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = wordsOf(view)
    const f = view.lang === 'zh' ? folderZh : folderEn
    const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
    const openMenu = (page: Page, name: string) => page.getByRole('button', { name: w.one.actions(name) }).click()

    test('opens a workspace by console token, runs and uses workloads, and signs out', async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      test.setTimeout(240_000)
      const { key, account } = await linkNewWallet(user)
      await buyWorkspace(user, key, at('/chain/rpc'))
      const ticket = await consoleTokenOf(user)

      await test.step('removes the token from the URL; the token works once', async () => {
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

      await test.step('shows the resources of the workspace and what its machine leaves free', async () => {
        await expect(page.getByText(w.spaces.state.ready)).toBeVisible()
        await expectUsable(page, 'list')
        await page.getByRole('link', { name: new RegExp(`^${w.spaces.open}`) }).click()
        await expect(page.getByText(w.space.full)).toHaveCount(0)
        await expect(page.getByText(w.quota.given('30 GiB', '40 GiB'))).toBeVisible()
        // Workspaces of one region are told apart by the start of their IDs.
        const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
        await expect(page.getByRole('heading', { level: 1 })).toContainText(id.slice(0, 8))
        await expect(page.getByText(w.space.enforced, { exact: true })).toBeVisible()
        await expect(row(page, 'machine')).toContainText(w.state.running)
        await expect(page.getByRole('link', { name: w.space.deploy })).toBeVisible()
        await expectUsable(page, 'workspace')
      })

      await test.step('keeps a login at a private registry without showing its password', async () => {
        await page.getByRole('button', { name: w.registries.add }).click()
        await page.getByRole('button', { name: w.registries.save }).click()
        await expect(page.getByText(w.registries.missing)).toBeVisible()
        await page.getByLabel(w.registries.username, { exact: true }).fill('somebody')
        await page.getByRole('textbox', { name: w.registries.password, exact: true }).fill('a secret')
        await expectUsable(page, 'registry')
        await page.getByRole('button', { name: w.registries.save }).click()
        await expect(page.getByText(/somebody/)).toBeVisible()
        await page.getByRole('button', { name: w.registries.remove('docker.io') }).click()
        await expect(page.getByText(w.registries.none)).toBeVisible()
      })

      await test.step('removing the machine needs a confirmation and frees its resources', async () => {
        await openMenu(page, 'machine')
        await page.getByRole('menuitem', { name: w.one.remove }).click()
        const dialog = page.getByRole('dialog', { name: w.one.removeTitle('machine') })
        await expect(dialog).toContainText(w.one.removeText)
        expect(await accessibilityViolations(page)).toEqual([])
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
        await expect(row(page, 'machine')).toBeVisible()
        await openMenu(page, 'machine')
        await page.getByRole('menuitem', { name: w.one.remove }).click()
        await dialog.getByRole('button', { name: w.one.remove, exact: true }).click()
        await expect(page.getByText(w.space.none)).toBeVisible({ timeout: 20_000 })
      })

      await test.step('deploys a workload only within the free resources', async () => {
        await page.getByRole('link', { name: w.space.deploy }).click()
        await page.getByRole('radio', { name: w.archive.title }).check()
        await page.getByRole('button', { name: w.deploy.go, exact: true }).click()
        await expect(page.getByText(w.archive.missing)).toBeVisible()
        await expectUsable(page, 'archive')
        await page.getByRole('radio', { name: w.compose.title }).check()
        const preview = page.getByRole('button', { name: w.compose.preview, exact: true })
        await page.getByLabel(w.compose.content).fill('services: {shop: {image: nginx, privileged: true}}')
        await preview.click()
        await expect(page.getByText('services.shop.privileged')).toBeVisible()
        await expect(page.getByText(w.compose.problem.unsupported)).toBeVisible()
        await expectUsable(page, 'refused Compose file')
        await page.getByLabel(w.compose.content).fill('services: {shop: {image: "nginx:$TAG", ports: ["80:8080"]}}')
        await preview.click()
        await page.getByLabel('TAG', { exact: true }).fill('1.29')
        await preview.click()
        await expect(page.getByText('nginx:1.29', { exact: true })).toBeVisible()
        await expect(page.getByRole('button', { name: w.compose.create(1) })).toBeVisible()
        await expectUsable(page, 'Compose file')
        await page.getByRole('radio', { name: w.deploy.template, exact: true }).check()
        await page.getByRole('radio', { name: w.program.pages.name }).check()
        await page.getByLabel(w.deploy.cpu).fill('9')
        await page.getByRole('button', { name: w.deploy.envAdd }).click()
        // The new field has the focus.
        await page.keyboard.type('1BAD')
        await page.getByRole('button', { name: w.deploy.go, exact: true }).click()
        await expect(page.getByText(w.deploy.unfinished)).toBeVisible()
        await expect(page.getByText(w.deploy.tooMuch(w.quota.cores(1, '1')))).toBeVisible()
        await expect(page.getByText(w.deploy.envWrong)).toBeVisible()
        await expect(page.getByLabel(w.deploy.cpu)).toBeFocused()
        await expectUsable(page, 'deploy')
        await page.getByLabel(w.deploy.cpu).fill('0.5')
        await page.getByLabel(w.deploy.envName, { exact: true }).fill('GREETING')
        await page.getByLabel(`${w.deploy.envValue} GREETING`).fill('tide')
        await page.getByRole('button', { name: w.deploy.go, exact: true }).click()
        await expect(page.getByRole('heading', { name: 'pages', level: 1 })).toBeVisible()
        await expect(page.getByText(w.state.running, { exact: true })).toBeVisible({ timeout: 20_000 })
        await expectUsable(page, 'log')
        await page.getByLabel(w.log.find).fill('no line contains this')
        await expect(page.getByText(w.log.noMatch)).toBeVisible()
        await expect(page.getByRole('button', { name: w.log.download })).toBeDisabled()
        await page.getByLabel(w.log.find).fill('')
      })

      await test.step('all its views are accessible', async () => {
        const views = [
          [w.one.usage, w.usage.span],
          [w.one.files, w.files.target],
          [w.one.settings, w.deploy.storage],
        ] as const
        for (const [name, label] of views) {
          await page.getByRole('link', { name, exact: true }).click()
          await expect(page.getByLabel(label)).toBeVisible()
          await expectUsable(page, name)
        }
        await expect(page.getByText('GREETING', { exact: true })).toBeVisible()
        await expect(page.getByText(/^https:\/\/pages-[\da-f]{12}\.programs\.localhost:8070$/)).toBeVisible()
        const who = page.getByRole('combobox', { name: w.addresses.who(8080), exact: true })
        await expect(who).toContainText(w.addresses.account)
        await who.click()
        await page.getByRole('option', { name: w.addresses.password }).click()
        const secret = page.getByRole('textbox', { name: w.addresses.setPassword, exact: true })
        await secret.fill('short')
        await secret.press('Enter')
        await expect(page.locator('main').getByRole('alert')).toBeVisible()
        await secret.fill('open sesame')
        await secret.press('Enter')
        await expect(page.getByText(w.addresses.saved)).toBeVisible()
        await expect(page.getByRole('textbox', { name: w.addresses.newPassword, exact: true })).toBeVisible()
        await expectUsable(page, 'addresses')
        const domain = page.getByRole('textbox', { name: w.domains.field, exact: true })
        await domain.fill('programs.localhost')
        await domain.press('Enter')
        await expect(domain).toHaveAttribute('aria-invalid', 'true')
        await domain.fill('shop.example.org')
        await domain.press('Enter')
        await expect(page.getByText(w.domains.problems.record)).toBeVisible()
        await expect(page.getByText(/^pages-[\da-f]{12}\.programs\.localhost$/)).toBeVisible()
        await page.getByText(w.domains.apex).click()
        await expect(page.getByText('_tidenet.shop.example.org')).toBeVisible()
        await expectUsable(page, 'domains')
        await page.getByRole('button', { name: w.domains.remove('shop.example.org') }).click()
        await expect(page.getByText(w.domains.problems.record)).toBeHidden()
        await page.getByRole('button', { name: w.domains.undo }).click()
        await expect(page.getByText(w.domains.problems.record)).toBeVisible()
        // A disk can grow within the free space, but not shrink.
        await page.getByLabel(w.deploy.storage).fill('0')
        await page.getByRole('button', { name: w.settings.save }).click()
        await expect(page.getByLabel(w.deploy.storage)).toHaveAttribute('aria-invalid', 'true')
        await page.getByLabel(w.deploy.storage).fill('2')
        await page.getByRole('button', { name: w.settings.save }).click()
        await expect(page.getByText(w.settings.saved)).toBeVisible()
        // Values are hidden; typing replaces them.
        await page.getByLabel(`${w.deploy.envValue} GREETING`).fill('good morning')
        await page.getByRole('button', { name: w.deploy.envAdd }).click()
        await page.getByLabel(w.deploy.envName, { exact: true }).last().fill('ANOTHER')
        await page.getByRole('button', { name: w.settings.apply }).click()
        await expect(page.getByText(w.settings.changed)).toBeVisible()
        await expect(page.getByText(/GREETING, ANOTHER|ANOTHER, GREETING/)).toHaveCount(2)
        await expectUsable(page, 'changed')
        // Restarts, health and a scheduled stop.
        await page.getByRole('combobox', { name: w.supervise.health, exact: true }).click()
        await page.getByRole('option', { name: w.supervise.kind.http }).click()
        await page.getByLabel(w.supervise.path, { exact: true }).fill('no slash')
        const supervised = page.locator('form').filter({ hasText: w.supervise.thresholdHint })
        await supervised.getByRole('button', { name: w.supervise.apply }).click()
        await expect(supervised.getByRole('alert')).toBeVisible()
        await page.getByLabel(w.supervise.path, { exact: true }).fill('/')
        await page.getByLabel(w.supervise.interval, { exact: true }).fill('5')
        await expectUsable(page, 'health check')
        await supervised.getByRole('button', { name: w.supervise.apply }).click()
        await expect(page.getByText(w.supervise.saved)).toBeVisible()
        // The programs of these tests have no network.
        await expect(page.getByText(w.supervise.state.unknown, { exact: true })).toBeVisible()
        await page.getByLabel(w.stop.hours, { exact: true }).fill('2')
        await page.getByRole('button', { name: w.stop.go, exact: true }).click()
        await page.getByRole('button', { name: w.stop.cancel, exact: true }).click()
        await expect(page.getByText(w.stop.cancelled)).toBeVisible()
        await page.getByRole('button', { name: w.history.restoreVersion(2), exact: true }).click()
        expect(await accessibilityViolations(page)).toEqual([])
        await page.getByRole('dialog').getByRole('button', { name: w.history.restore, exact: true }).click()
        await expect(page.getByText(w.history.done(2))).toBeVisible()
        await expect(page.getByText(w.history.restored(2))).toBeVisible()
        await expect(page.getByText(/GREETING, ANOTHER|ANOTHER, GREETING/)).toHaveCount(2)
      })

      await test.step('copying files needs a key limited to one folder, and rejects any other key', async () => {
        await page.getByRole('link', { name: w.one.files, exact: true }).click()
        await page.getByRole('button', { name: w.files.go, exact: true }).click()
        await expect(page.getByText(w.files.keyMissing)).toBeVisible()
        const { key: every } = await data<{ key: string }>('apiKeys.create', { key_name: 'every' }, user.token)
        await page.getByRole('textbox', { name: w.files.keyLabel }).fill(every)
        await page.getByRole('button', { name: w.files.go, exact: true }).click()
        await expect(page.locator('main').getByRole('alert')).toBeVisible()
      })

      await test.step('selects a folder while signed in to the portal; its key is deleted after the copy', async () => {
        await data('apiKeys.remove', { key_name: 'every' }, user.token)
        await data('folders.create', { name: 'Harbour', parent: 0 }, user.token)
        const here = page.url()
        await signIn(page, user)
        await page.goto(here)
        await page.getByRole('button', { name: w.files.pick }).click()
        await page.getByRole('radio', { name: 'Harbour' }).check({ force: true })
        expect(await accessibilityViolations(page)).toEqual([])
        await page.getByRole('dialog').getByRole('button').last().click()
        await page.getByRole('button', { name: w.files.go, exact: true }).click()
        await expect(page.getByText(w.files.done(0, '0 B'))).toBeVisible({ timeout: 20_000 })
        await expect
          .poll(async () => (await data<{ list: unknown[] }>('apiKeys.list', {}, user.token)).list)
          .toEqual([])
      })

      await test.step('a folder of the storage is put into the program, saved, and detached together with its key', async () => {
        const keys = async () => (await data<{ list: unknown[] }>('apiKeys.list', {}, user.token)).list.length
        await page.getByRole('button', { name: f.open, exact: true }).click()
        await page.getByLabel(f.path, { exact: true }).fill('data')
        await page.getByRole('button', { name: f.attach, exact: true }).click()
        await expect(page.getByText(f.pathMissing)).toBeVisible()
        await page.getByLabel(f.path, { exact: true }).fill('/etc')
        await page.getByRole('button', { name: w.files.pick, exact: true }).click()
        await page.getByRole('radio', { name: 'Harbour' }).check({ force: true })
        await page.getByRole('dialog').getByRole('button').last().click()
        await page.getByRole('button', { name: f.attach, exact: true }).click()
        // Refused by the server: the key that was made for it is deleted again.
        await expect(page.locator('main').getByRole('alert')).toBeVisible()
        await expect.poll(keys).toBe(0)
        await expectUsable(page, 'folder form')
        await page.getByLabel(f.path, { exact: true }).fill('/data/work')
        await page.getByRole('button', { name: f.attach, exact: true }).click()
        await expect(page.getByText('/data/work')).toBeVisible()
        await expect(page.getByText(f.state.ready)).toBeVisible({ timeout: 30_000 })
        expect(await keys()).toBe(1)
        await expectUsable(page, 'folder')
        await page.getByRole('button', { name: f.save, exact: true }).click()
        await expect(page.getByText(f.saving)).toBeVisible()
        await page.getByRole('button', { name: f.detach, exact: true }).click()
        expect(await accessibilityViolations(page)).toEqual([])
        await page.getByRole('dialog').getByRole('button', { name: f.detachSave, exact: true }).click()
        await expect(page.getByRole('button', { name: f.open, exact: true })).toBeVisible({ timeout: 30_000 })
        expect(await keys()).toBe(0)
      })

      await test.step('a terminal accepts input, ends with its shell, and shows lost connections', async () => {
        await page.getByRole('link', { name: w.one.terminal, exact: true }).click()
        await expect(page.getByRole('textbox', { name: w.terminal.input })).toBeFocused()
        await page.keyboard.type('tide-table')
        await expect(screenOf(page)).toContainText('tide-table')
        await expect(page.getByText(w.terminal.open, { exact: true })).toBeVisible()
        await expectUsable(page, 'terminal')
        await page.keyboard.press('F6')
        await expect(page.getByRole('link', { name: w.terminal.back })).toBeFocused()
        await page.getByRole('textbox', { name: w.terminal.input }).focus()
        await page.keyboard.press('Control+U')
        await page.keyboard.type('exit')
        await page.keyboard.press('Enter')
        await expect(page.getByRole('button', { name: w.terminal.newShell })).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        await page.getByRole('button', { name: w.terminal.newShell }).click()
        await page.keyboard.type('once more')
        await expect(screenOf(page)).toContainText('once more')
        await expect(screenOf(page)).toContainText(w.terminal.fresh.slice(0, 12))
      })

      await test.step('the terminal is unavailable while the workload is stopped', async () => {
        await page.getByRole('link', { name: w.terminal.back }).click()
        await page.getByRole('button', { name: w.one.stop, exact: true }).click()
        await expect(page.getByText(w.state.stopped, { exact: true })).toBeVisible({ timeout: 30_000 })
        await page.getByRole('link', { name: w.one.files, exact: true }).click()
        await expect(page.getByText(w.browser.notRunning('pages'))).toBeVisible()
        await page.goto(`${page.url().split('?')[0]}/terminal`)
        await expect(page.getByText(w.terminal.closed.stopped)).toBeVisible()
        await page.getByRole('button', { name: w.terminal.start }).click()
        await expect(page.getByText(w.terminal.closed.stopped)).toBeHidden({ timeout: 30_000 })
        await page.getByRole('textbox', { name: w.terminal.input }).focus()
        await page.keyboard.type('awake')
        await expect(screenOf(page)).toContainText('awake')
      })

      await test.step('signing out of the console keeps the portal session', async () => {
        await page.getByRole('button', { name: w.frame.leave }).click()
        await expect(page).toHaveURL(at('/console/login'))
        await page.goto(at('/console'))
        await expect(page).toHaveURL(at('/console/login'))
        await page.goto(at('/dashboard'))
        await expect(page).toHaveURL(at('/dashboard'))
        await expect(page.getByRole('button', { name: t.shell.account })).toBeVisible()
      })
    })

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
