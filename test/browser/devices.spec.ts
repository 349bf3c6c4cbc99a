import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { OWNER_CODE, type OwnedDevice } from '@tidenet/contract'
import { texts as earningsEn } from '../../apps/web/src/features/devices/earnings-texts.en.ts'
import { texts as earningsZh } from '../../apps/web/src/features/devices/earnings-texts.zh.ts'
import { texts as en } from '../../apps/web/src/features/devices/texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/devices/texts.zh.ts'
import { texts as networkEn } from '../../apps/web/src/features/network/texts.en.ts'
import { texts as networkZh } from '../../apps/web/src/features/network/texts.zh.ts'
import { accessibilityViolations, test as base, call, createUser, data, expect, viewsFor } from './test-env.ts'

const PROGRAM = fileURLToPath(new URL('../../apps/node/dist/main.js', import.meta.url))

interface Owned {
  list: OwnedDevice[]
  total: number
}

/** A node that a test started; it stops with the test. */
type StartNode = (name: string, owner: string) => Promise<void>

const test = base.extend<{ d: typeof en; startNode: StartNode }>({
  d: async ({ view }, use) => use(view.lang === 'zh' ? zh : en),
  startNode: async ({ at }, use) => {
    const started: { node: ChildProcess; folder: string }[] = []
    // The node also stops if the test runner is killed.
    const kill = () => {
      for (const { node } of started) node.kill('SIGKILL')
    }
    process.on('exit', kill)
    await use(async (name, owner) => {
      const folder = mkdtempSync(join(tmpdir(), 'tidenet-device-'))
      const words = `--server ${at('')} --data ${folder} --area Europe-Germany-Hesse-Frankfurt --place 50.1,8.7`
      // No capacity: the node stops with this test, and no other test's file may be stored there.
      const more = `--kind edge --port 0 --capacity 1B --name ${name} --owner ${owner}`
      const node = spawn(process.execPath, [PROGRAM, ...words.split(' '), ...more.split(' ')], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      })
      started.push({ node, folder })
      await once(node, 'message')
    })
    process.off('exit', kill)
    for (const { node, folder } of started) {
      const gone = node.exitCode === null && node.signalCode === null ? once(node, 'exit') : undefined
      node.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    }
  },
})

/** The list entry of one device. */
const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

/** Opens the page and creates an owner code. */
async function makeCode(page: Page, d: typeof en): Promise<string> {
  await page.getByRole('button', { name: d.link }).click()
  const code = page.getByRole('heading', { name: d.code.title }).locator('..').locator('code')
  return (await code.textContent()) ?? ''
}

/** Accessibility violations in both themes. */
async function allBarriers(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await accessibilityViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...light, ...(await accessibilityViolations(page, ['color-contrast']))]
}

const overflowX = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

const HOUR = 3_600_000

/** A device as the API returns it. */
const device = (index: number, more: Partial<OwnedDevice> = {}): OwnedDevice => ({
  node_id: `n${String(index).padStart(45, '0')}`,
  name: `harbour-${index}`,
  type: (index % 3) + 1,
  area_id: 'Europe-Germany-Hesse-Frankfurt',
  declared_area: null,
  region_by: 'address',
  status: 'online',
  reachable: index % 2 === 0,
  seen_at: new Date(Date.now() - 20_000).toISOString(),
  offline_at: null,
  linked_at: new Date(Date.now() - 30 * 24 * HOUR).toISOString(),
  version: '0.1.0',
  updates: index === 2 ? { on: true, problem: 'not-ready', version: '0.2.0' } : null,
  capacity: 2 ** 37,
  used: index * 2 ** 31,
  mail: true,
  standing: index % 3 === 0 ? 'new' : 'invited',
  draining: false,
  leaving: index === 5 ? { since: new Date(Date.now() - HOUR).toISOString(), remaining: 1200 } : null,
  certificate: null,
  cloned_at: null,
  passed_on: null,
  vetting: index % 3 === 0 ? { audits: 12, audits_of: 100, time: 90_000, time_of: 259_200 } : null,
  ...more,
})

/** Mocks the device list, because waiting until a node counts as offline takes too long. */
const pretend = (page: Page, all: readonly OwnedDevice[]) =>
  page.route('**/api/v1/devices?*', async (route) => {
    const search = new URL(route.request().url()).searchParams
    const size = Number(search.get('size'))
    const from = (Number(search.get('page')) - 1) * size
    const count = (status: OwnedDevice['status']) => all.filter((each) => each.status === status).length
    const sum = (key: 'used' | 'capacity') => all.reduce((whole, each) => whole + each[key], 0)
    const told = {
      list: all.slice(from, from + size),
      total: all.length,
      online: count('online'),
      offline: count('offline'),
      abnormal: count('abnormal'),
      used: sum('used'),
      capacity: sum('capacity'),
      offline_after: 90,
      mail_after: 150,
    }
    await route.fulfill({ json: { code: 0, data: told } })
  })

for (const view of viewsFor('wide'))
  test.describe(`${view.name}: devices`, () => {
    test.use({ view })
    test.setTimeout(120_000)
    const w = view.lang === 'zh' ? earningsZh : earningsEn

    test('creates a code, lists the node that starts with it, changes its e-mail setting and unlinks it', {
      tag: '@long',
    }, async ({ page, user, signIn, startNode, at, d, t }) => {
      await signIn(page, user)
      await page.goto(at('/devices'))
      await expect(page.getByRole('heading', { level: 1, name: t.pages.devices })).toBeVisible()
      await expect(page.getByRole('heading', { name: d.empty.title })).toBeVisible()
      expect(await allBarriers(page)).toEqual([])

      const code = await makeCode(page, d)
      expect(code).toMatch(OWNER_CODE)
      const commands = page.getByRole('tabpanel')
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click()
        await expect(commands).toContainText(`--owner ${code}`)
      }
      await expect(page.getByText(d.code.waiting)).toBeVisible()
      expect(await allBarriers(page)).toEqual([])
      expect(await overflowX(page)).toBeLessThanOrEqual(0)

      const name = `quay-${view.lang}-${Date.now() % 1000}`
      await startNode(name, code)
      const row = rowOf(page, name)
      await expect(row).toBeVisible()
      await expect(page.getByRole('status').filter({ hasText: d.code.linked([name]) })).toBeVisible()
      await expect(row).toContainText(d.list.states.online)
      await expect(row).toContainText(d.list.kinds[0] ?? '')
      expect(await allBarriers(page)).toEqual([])

      await test.step('a dismissed code is not shown again', async () => {
        await page.getByRole('button', { name: d.code.done }).click()
        await page.reload()
        await expect(row).toBeVisible()
        await expect(page.getByText(code)).toHaveCount(0)
      })

      await test.step('turning e-mails off persists', async () => {
        const mails = page.getByRole('switch', { name: d.list.mailOf(name) })
        await expect(mails).toBeChecked()
        await mails.click()
        await expect(mails).not.toBeChecked()
        await expect.poll(async () => (await data<Owned>('devices.list', {}, user.token)).list[0]?.mail).toBe(false)
        await page.reload()
        await expect(mails).not.toBeChecked()
      })

      await test.step('a new name replaces the one that the node gave itself', async () => {
        const [mine] = (await data<Owned>('devices.list', {}, user.token)).list
        await row.getByRole('button', { name: w.rename(name) }).click()
        await page.getByRole('textbox', { name: w.name }).fill(`${name}-2`)
        expect(await allBarriers(page)).toEqual([])
        await page.keyboard.press('Escape')
        await expect(row).toBeVisible()
        await row.getByRole('button', { name: w.rename(name) }).click()
        await page.getByRole('textbox', { name: w.name }).fill(`${name}-2`)
        await page.keyboard.press('Enter')
        await expect(rowOf(page, `${name}-2`)).toBeVisible()
        await data('devices.rename', { node_id: mine?.node_id, name }, user.token)
        await page.reload()
        await expect(row).toBeVisible()
      })

      await test.step('its details match the explorer', async () => {
        await page.getByRole('button', { name: d.list.actions(name) }).click()
        await page.getByRole('menuitem', { name: d.list.details }).click()
        const words = view.lang === 'zh' ? networkZh : networkEn
        await expect(page.getByRole('region', { name: words.chosen })).toContainText(name)
        await page.goBack()
      })

      await page.getByRole('button', { name: d.list.actions(name) }).click()
      await page.getByRole('menuitem', { name: d.list.unlink }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toContainText(name)
      expect(await allBarriers(page)).toEqual([])
      await dialog.getByRole('button', { name: t.words.cancel, exact: true }).click()
      await expect(row).toBeVisible()
      await page.getByRole('button', { name: d.list.actions(name) }).click()
      await page.getByRole('menuitem', { name: d.list.unlink }).click()
      await dialog.getByRole('button', { name: d.unlinking.confirm, exact: true }).click()
      await expect(page.getByRole('heading', { name: d.empty.title })).toBeVisible()
      expect((await data<Owned>('devices.list', {}, user.token)).total).toBe(0)
    })

    test('lists offline devices first with their time, reverts a rejected change, and paginates', {
      tag: '@long',
    }, async ({ page, user, signIn, at, d, t }) => {
      const away = new Date(Date.now() - 3 * HOUR).toISOString()
      await pretend(page, [
        device(1, { status: 'offline', seen_at: away, offline_at: away }),
        device(2, { status: 'abnormal', name: '', used: 2 ** 37 }),
        ...Array.from({ length: 23 }, (_, index) => device(index + 3)),
      ])
      await signIn(page, user)
      await page.goto(at('/devices'))
      const rows = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) })
      await expect(rows.first()).toContainText(d.list.states.offline)
      await expect(rows.nth(1)).toContainText(d.list.states.abnormal)
      await expect(page.getByText(d.notes.unreachable)).toBeVisible()
      await expect(page.getByText(d.list.leaving(1200))).toBeVisible()
      const why = d.list.updateProblems['not-ready']
      await expect(page.getByText(d.list.notUpdated('0.2.0', why))).toBeVisible()
      await expect(page.getByText(d.notes.abnormal)).toBeVisible()
      expect(await allBarriers(page)).toEqual([])
      for (const width of [390, 768, 1280, 1920]) {
        await page.setViewportSize({ width, height: view.height })
        expect(await overflowX(page), `${width} px`).toBeLessThanOrEqual(0)
      }
      await page.setViewportSize({ width: view.width, height: view.height })

      // The node does not exist: the server rejects the change.
      const mails = page.getByRole('switch', { name: d.list.mailOf('harbour-1'), exact: true })
      await mails.click()
      await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
      await expect(mails).toBeChecked()

      await page.getByRole('button', { name: t.files.next }).click()
      await expect(rows.first()).toContainText('harbour-11')
      await page.getByRole('button', { name: t.files.previous }).click()
      await expect(rows.first()).toContainText('harbour-1')
    })

    test('offers a retry if the list fails; explains that e-mails need an e-mail address', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      expected,
      at,
      d,
      t,
    }) => {
      expected.push(/503/)
      await page.route('**/api/v1/devices?*', (route) => route.fulfill({ status: 503, body: '' }))
      await signIn(page, user)
      await page.goto(at('/devices'))
      await expect(page.getByText(d.failed)).toBeVisible()
      await page.unroute('**/api/v1/devices?*')
      await page.getByRole('button', { name: t.words.retry }).click()
      await expect(page.getByRole('heading', { name: d.empty.title })).toBeVisible()

      await page.route('**/api/v1/user/info', async (route) => {
        const answer = (await (await route.fetch()).json()) as { data: object }
        await route.fulfill({ json: { ...answer, data: { ...answer.data, user_email: '' } } })
      })
      await page.reload()
      await expect(page.getByText(d.notes.noEmail)).toBeVisible()
      await pretend(page, [device(4)])
      await page.reload()
      await expect(page.getByText(d.notes.noEmail)).toBeVisible()
      await expect(rowOf(page, 'harbour-4')).toBeVisible()
      await expect(page.getByRole('switch')).toHaveCount(0)
      expect(await allBarriers(page)).toEqual([])
    })

    test('says what is wrong with a certificate, a clock or a key, and what to do', async ({
      page,
      user,
      signIn,
      at,
      d,
    }) => {
      const since = new Date(Date.now() - 3 * HOUR).toISOString()
      const until = new Date(Date.now() + 300 * HOUR).toISOString()
      await pretend(page, [
        device(1, { certificate: { until: null, problem: 'clock', since, detail: '-90' } }),
        device(2, { certificate: { until, problem: '', since: null, detail: '' }, cloned_at: since }),
        device(4, { certificate: { until: since, problem: 'expired', since, detail: '' } }),
        device(5, { certificate: { until: null, problem: 'queued', since, detail: '' } }),
        device(7, { passed_on: { signed: 3_000_000_000, paid: 0 } }),
      ])
      await signIn(page, user)
      await page.goto(at('/devices'))
      await expect(rowOf(page, 'harbour-1')).toContainText(d.list.certificate.clock('-90'))
      await expect(rowOf(page, 'harbour-2')).toContainText(d.list.cloned)
      await expect(rowOf(page, 'harbour-4')).toContainText(d.list.certificate.expired(''))
      await expect(rowOf(page, 'harbour-5')).toContainText(d.list.certificate.queued(''))
      await expect(rowOf(page, 'harbour-7')).toContainText(d.list.passedOn('2.8 GiB', '0 B'))
      expect(await allBarriers(page)).toEqual([])
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: view.height })
        expect(await overflowX(page), `${width} px`).toBeLessThanOrEqual(0)
      }
    })

    test('other accounts cannot see or change a device; visitors sign in and return', { tag: '@long' }, async ({
      page,
      user,
      startNode,
      at,
      d,
      t,
    }) => {
      const { code } = await data<{ code: string }>('devices.code', {}, user.token)
      await startNode(`pier-${view.lang}`, code)
      const [mine] = (await data<Owned>('devices.list', {}, user.token)).list
      if (!mine) throw new Error('the node was not linked')
      const other = await createUser()
      expect((await data<Owned>('devices.list', {}, other.token)).total).toBe(0)
      expect((await call('devices.mail', { node_id: mine.node_id, mail: false }, other.token)).code).toBe(-1)
      expect((await call('devices.unlink', { node_id: mine.node_id }, other.token)).code).toBe(-1)
      expect((await data<Owned>('devices.list', {}, user.token)).list).toMatchObject([{ mail: true }])
      for (const name of ['devices.list', 'devices.code'] as const) expect((await call(name)).code).toBe(401)
      const terms = { key_name: 'files', type: 'normal', perms: ['readFile'] }
      const key = await data<{ key: string }>('apiKeys.create', terms, user.token)
      expect((await call('devices.list', {}, key.key)).code).not.toBe(0)

      await page.goto(at('/devices'))
      await expect(page).toHaveURL(/\/\?redirect=/)
      await page.getByLabel(t.accounts.email).fill(other.email)
      await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(other.password)
      await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
      await expect(page).toHaveURL(at('/devices'))
      await expect(page.getByRole('heading', { name: d.empty.title })).toBeVisible()
    })
  })
