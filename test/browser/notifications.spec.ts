import pg from 'pg'
import { texts as endingsEn } from '../../apps/web/src/features/account/endings-texts.en.ts'
import { texts as endingsZh } from '../../apps/web/src/features/account/endings-texts.zh.ts'
import { texts as en } from '../../apps/web/src/features/account/notifications-texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/account/notifications-texts.zh.ts'
import { accessibilityViolations, createUser, data, expect, test, uploadTo, viewsFor } from './test-env.ts'

interface Files {
  total: number
}

interface Choices {
  list: { kind: string; email: boolean; portal: boolean | null }[]
}

/** The first text of this form in an e-mail to an address. */
async function linkIn(email: string, form: RegExp): Promise<string> {
  const { TIDENET_URL } = process.env
  let link = ''
  await expect(async () => {
    const answer = await fetch(`${TIDENET_URL}/dev/mailbox.json?to=${encodeURIComponent(email)}`)
    const { mails } = (await answer.json()) as { mails: { text: string }[] }
    link = mails.map(({ text }) => form.exec(text)?.[0] ?? '').find((found) => found !== '') ?? ''
    expect(link).not.toBe('')
  }).toPass({ timeout: 20_000 })
  return link
}

async function database(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: String(process.env.TIDENET_BROWSER_DATABASE) })
  await client.connect()
  await work(client).finally(() => client.end())
}

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    const t = view.lang === 'zh' ? zh : en
    const endings = view.lang === 'zh' ? endingsZh : endingsEn

    test('a person chooses notices by kind and channel, with the keyboard; security stays on', async ({
      page,
      user,
      signIn,
      at,
    }) => {
      const choices = async () => (await data<Choices>('notifications.list', {}, user.token)).list
      await signIn(page, user)
      await page.goto(at('/myAccount'))
      await page.locator('a[href="/notifications"]').click()
      const usage = page.getByTestId('notice-usage')
      await usage.getByRole('switch').first().focus()
      await page.keyboard.press('Space')
      await expect(usage.getByRole('switch').first()).not.toBeChecked()
      await expect
        .poll(async () => (await choices()).find(({ kind }) => kind === 'usage'))
        .toMatchObject({ email: false, portal: true })
      await page.reload()
      await expect(usage.getByRole('switch').first()).not.toBeChecked()
      await expect(usage.getByRole('switch').last()).toBeChecked()
      await expect(page.getByTestId('notice-security')).toBeVisible()
      await expect(page.getByTestId('notice-security').getByRole('switch')).toHaveCount(0)
      expect(await accessibilityViolations(page)).toEqual([])
    })

    test('the link of an e-mail turns its kind off and on again, signed out', { tag: '@long' }, async ({
      page,
      user,
      at,
    }) => {
      const chosen = async () =>
        (await data<Choices>('notifications.list', {}, user.token)).list.filter(({ email }) => !email)
      const owner = await createUser()
      const { team } = await data<{ team: string }>('teams.create', { name: 'Harbour' }, owner.token)
      await data('teams.invite', { team, email: user.email, role: 'viewer' }, owner.token)
      await page.goto(await linkIn(user.email, /\S+\/unsubscribe\?token=\S+/))
      await page.getByRole('button', { name: t.unsubscribe.go }).click()
      await expect(page.getByRole('button', { name: t.unsubscribe.undo })).toBeVisible()
      expect(await chosen()).toMatchObject([{ kind: 'teams' }])
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: t.unsubscribe.undo }).click()
      await expect(page.getByRole('button', { name: t.unsubscribe.go })).toBeVisible()
      expect(await chosen()).toEqual([])

      await page.goto(at(`/unsubscribe?token=usage.${user.uid}.${'A'.repeat(43)}`))
      await page.getByRole('button', { name: t.unsubscribe.go }).click()
      await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
      expect(await chosen()).toEqual([])
      await page.goto(at('/unsubscribe'))
      await expect(page.getByRole('button', { name: t.unsubscribe.go })).toHaveCount(0)
    })

    test('a file that ends soon is on the dashboard, and kept by one click', async ({
      page,
      user,
      signIn,
      at,
      file,
      t: texts,
    }) => {
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await uploadTo(page, texts, 'files', [file('plans.txt', 2000).path, file('photo.txt', 3000).path])
      await expect.poll(async () => (await data<Files>('assets.list', {}, user.token)).total).toBe(2)
      await database(async (client) => {
        await client.query(
          `update assets set expires_at = now() + interval '20 days' where user_id = (select id from users where uid = $1)`,
          [user.uid],
        )
      })
      await page.goto(at('/dashboard'))
      await page.locator('a[href="/endingFiles"]').click()
      const rows = page.getByTestId('ending-file')
      await expect(rows).toHaveCount(2)
      expect(await accessibilityViolations(page)).toEqual([])
      await rows.filter({ hasText: 'plans.txt' }).getByRole('button').focus()
      await page.keyboard.press('Enter')
      await expect(rows).toHaveCount(1)
      await page.getByRole('button', { name: endings.keepAll }).click()
      await expect(rows).toHaveCount(0)
      expect((await data<Files>('assets.ending', {}, user.token)).total).toBe(0)
    })
  })
