import { errorText } from '@tidenet/contract'
import { texts as listEn } from '../../apps/web/src/features/admin/orders-texts.en.ts'
import { texts as listZh } from '../../apps/web/src/features/admin/orders-texts.zh.ts'
import { texts as adminEn } from '../../apps/web/src/features/admin/texts.en.ts'
import { texts as adminZh } from '../../apps/web/src/features/admin/texts.zh.ts'
import { linkFundedWallet, ordersWords } from './order-helpers.ts'
import {
  accessibilityViolations,
  call,
  data,
  downloaded,
  expect,
  operator,
  overflows,
  test,
  viewsFor,
} from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? adminZh : adminEn
    const l = view.lang === 'zh' ? listZh : listEn

    test('an operator finds an account, makes it a VIP, locks it and sees this in the audit log', async ({
      page,
      user,
      signIn,
      visitor,
      at,
      t,
    }) => {
      const boss = await operator()
      await signIn(page, boss)
      const other = await visitor()
      await signIn(other, user)
      await other.goto(at('/dashboard'))
      await expect(other.getByRole('heading', { level: 1 })).toBeVisible()

      await test.step('found by a part of its e-mail address', async () => {
        await page.goto(at('/admin?view=users'))
        await page.getByRole('searchbox', { name: w.users.search }).fill(user.email.slice(0, 10))
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: w.details(user.email) }).click()
        await expect(page).toHaveURL(new RegExp(`open=${user.uid}`))
      })

      const panel = page.getByRole('dialog').first()
      const reason = page.getByRole('textbox', { name: w.reason })
      await test.step('a change requires a reason', async () => {
        await panel.getByRole('button', { name: w.users.makeVip }).click()
        const confirm = page.getByRole('dialog', { name: w.users.makeVip })
        await confirm.getByRole('button', { name: w.users.makeVip }).click()
        await expect(confirm.getByText(w.needReason)).toBeVisible()
        await reason.fill('agreed by telephone')
        expect(await accessibilityViolations(page)).toEqual([])
        await confirm.getByRole('button', { name: w.users.makeVip }).click()
        await expect(panel.getByRole('button', { name: w.users.endVip })).toBeVisible()
        // Servers cache sessions for half a second.
        await expect.poll(() => data('accounts.vipInfo', {}, user.token)).toMatchObject({ vip: true })
      })

      await test.step('once locked, it is signed out and cannot sign in', async () => {
        await panel.getByRole('button', { name: w.users.lock }).click()
        await reason.fill('abuse')
        await page.getByRole('dialog', { name: w.users.lock }).getByRole('button', { name: w.users.lock }).click()
        await expect(panel.getByRole('button', { name: w.users.unlock })).toBeVisible()
        await other.goto(at('/fileStorage'))
        await expect(other).toHaveURL(/\/\?redirect=/)
        const again = await call('accounts.login', { username: user.email, password: user.password })
        expect(again.code).toBe(401)
        await other.goto(at('/login'))
        await other.getByLabel(t.accounts.email).fill(user.email)
        await other.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(user.password)
        await other.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
        await expect(other.getByText(errorText('accountLocked', view.lang === 'zh' ? 'cn' : 'en'))).toBeVisible()
        await panel.getByRole('button', { name: w.users.unlock }).click()
        await reason.fill('it was a mistake')
        await page.getByRole('dialog', { name: w.users.unlock }).getByRole('button', { name: w.users.unlock }).click()
        await expect(panel.getByRole('button', { name: w.users.lock, exact: true })).toBeVisible()
        expect((await call('accounts.login', { username: user.email, password: user.password })).code).toBe(0)
      })

      await test.step('the audit log has every change and can be exported', async () => {
        await panel.getByRole('link', { name: w.users.aboutIt }).click()
        await expect(page.getByRole('heading', { level: 1, name: w.views.audit })).toBeVisible()
        const rows = page.getByRole('row')
        for (const action of ['account.unlock', 'account.lock', 'account.vip', 'account.create'] as const)
          await expect(rows.filter({ hasText: w.audit.actions[action] ?? '' }).first()).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        const file = await downloaded(page, () => page.getByRole('button', { name: w.audit.csv }).click())
        const table = file.bytes.toString('utf8')
        expect(file.name).toMatch(/\.csv$/)
        for (const text of ['account.lock', 'abuse', boss.uid, user.uid]) expect(table).toContain(text)
        await page.getByRole('combobox', { name: w.audit.action }).selectOption('account.vip')
        await expect(rows).toHaveCount(2)
        await page.reload()
        await expect(rows).toHaveCount(2)
      })
      expect(t.pages.admin).toBe(w.menu)
    })

    test('marks a contact request as handled with a note; lists e-mails and nodes', { tag: '@long' }, async ({
      page,
      signIn,
      at,
    }) => {
      const name = `Ada ${Date.now()} ${view.lang}`
      await call('leads.create', { kind: 'contact', name, email: 'ada@mail.example', text: 'How do I join?' })
      await signIn(page, await operator())
      await page.goto(at('/admin?view=leads&state=open'))
      await page.getByRole('button', { name: w.details(name) }).click()
      await page.getByRole('textbox', { name: w.note }).fill('called back')
      await page.getByRole('button', { name: w.save, exact: true }).click()
      await page.getByRole('button', { name: w.leads.handle }).click()
      await expect(page.getByRole('button', { name: w.details(name) })).toHaveCount(0)
      await page.goto(at('/admin?view=leads&state=handled'))
      await page.getByRole('button', { name: w.details(name) }).click()
      await expect(page.getByRole('textbox', { name: w.note })).toHaveValue('called back')

      await page.goto(at('/admin?view=mails'))
      await expect(page.getByRole('row').nth(1)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      await page.goto(at('/admin?view=nodes'))
      await page.getByRole('button', { name: w.details('candidate-1') }).click()
      await page.getByRole('button', { name: w.nodes.takeOut }).click()
      await expect(page.getByText(w.nodes.takeOutText)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
    })

    test('every page has a title, fits the screen and is accessible', { tag: '@long' }, async ({
      page,
      signIn,
      at,
    }) => {
      await signIn(page, await operator())
      for (const name of [
        'overview',
        'users',
        'nodes',
        'contents',
        'leads',
        'supports',
        'orders',
        'exchange',
        'clusters',
        'mails',
        'audit',
      ] as const) {
        await page.goto(at(`/admin?view=${name}`))
        await expect(page.getByRole('heading', { level: 1, name: w.views[name], exact: true })).toBeVisible()
        await expect(page.getByRole('status').filter({ hasText: /…$/ })).toHaveCount(0)
      }
      await page.goto(at('/admin?view=audit&subject=nobody'))
      await expect(page.getByText(w.none)).toBeVisible()
      await page.getByRole('button', { name: w.clear }).click()
      await expect(page.getByRole('row').nth(1)).toBeVisible()
    })

    test('finds any order by its wallet and links to its account', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      const { o } = ordersWords(view)
      const { cosmos } = await linkFundedWallet(context, user)
      const machine = { cpu: 1, ram: 1, storage: 40, duration: 4, kub_name: 'distributed' }
      const { id } = await data<{ id: string }>('orders.create', machine, user.token)
      await signIn(page, await operator())
      await page.goto(at('/admin?view=orders'))
      await page.getByRole('searchbox', { name: l.search }).fill(cosmos.address)
      await page.keyboard.press('Enter')
      const row = page.getByRole('row').filter({ has: page.getByTitle(id) })
      await expect(row).toContainText(o.labels.created)
      await expect(page.getByRole('row')).toHaveCount(2)
      expect(await overflows(page)).toBe(false)
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByLabel(l.status).selectOption({ label: o.labels.terminated })
      await expect(page.getByText(w.none)).toBeVisible()
      await page.getByLabel(l.status).selectOption({ label: o.labels.created })
      await row.getByRole('link', { name: user.email }).click()
      await expect(page.getByRole('dialog')).toContainText(user.email)
      expect((await call('orders.all', {}, user.token)).code).toBe(-1)
    })

    test('rejects visitors, users, and users who edit the role in local storage', async ({
      page,
      user,
      signIn,
      visitor,
      at,
      t,
    }) => {
      const stranger = await visitor()
      await stranger.goto(at('/admin'))
      await expect(stranger).toHaveURL(/\/\?redirect=/)

      await signIn(page, user)
      await page.goto(at('/admin'))
      await expect(page.getByRole('heading', { name: t.errors.notFoundTitle })).toBeVisible()
      await expect(page.getByRole('navigation', { name: w.menu })).toHaveCount(0)

      // The next response of the server overwrites a role that was edited in local storage.
      await page.evaluate(() => {
        const stored = JSON.parse(localStorage.getItem('tidenet.login') ?? '{}')
        stored.state.userinfo.role = 'operator'
        localStorage.setItem('tidenet.login', JSON.stringify(stored))
      })
      await page.goto(at('/admin?view=users'))
      await expect(page.getByRole('heading', { name: t.errors.notFoundTitle })).toBeVisible()
      expect((await call('admin.users', {}, user.token)).code).toBe(-1)
    })
  })
