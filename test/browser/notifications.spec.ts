import { texts as en } from '../../apps/web/src/features/account/notifications-texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/account/notifications-texts.zh.ts'
import { accessibilityViolations, createUser, data, expect, test, viewsFor } from './test-env.ts'

interface Choices {
  list: { kind: string; email: boolean; portal: boolean | null }[]
}

/** The address in the latest e-mail that turns off e-mails of its kind. */
async function unsubscribeLink(email: string): Promise<string> {
  const { TIDENET_URL } = process.env
  let link = ''
  await expect(async () => {
    const answer = await fetch(`${TIDENET_URL}/dev/mailbox.json?to=${encodeURIComponent(email)}`)
    const { mails } = (await answer.json()) as { mails: { text: string }[] }
    link = /\S+\/unsubscribe\?token=\S+/.exec(mails[0]?.text ?? '')?.[0] ?? ''
    expect(link).not.toBe('')
  }).toPass({ timeout: 15_000 })
  return link
}

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    const t = view.lang === 'zh' ? zh : en

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

    test('the link of an e-mail turns its kind off and on again, signed out', async ({ page, user, at }) => {
      const chosen = async () =>
        (await data<Choices>('notifications.list', {}, user.token)).list.filter(({ email }) => !email)
      const owner = await createUser()
      const { team } = await data<{ team: string }>('teams.create', { name: 'Harbour' }, owner.token)
      await data('teams.invite', { team, email: user.email, role: 'viewer' }, owner.token)
      await page.goto(await unsubscribeLink(user.email))
      await page.getByRole('button', { name: t.unsubscribe.go }).click()
      await expect(page.getByRole('button', { name: t.unsubscribe.undo })).toBeVisible()
      expect(await chosen()).toMatchObject([{ kind: 'teams' }])
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: t.unsubscribe.undo }).click()
      await expect(page.getByRole('button', { name: t.unsubscribe.go })).toBeVisible()
      expect(await chosen()).toEqual([])

      await page.goto(at(`/unsubscribe?token=usage.${user.uid}.${'A'.repeat(43)}`))
      await page.getByRole('button', { name: t.unsubscribe.go }).click()
      await expect(page.getByRole('alert')).toBeVisible()
      expect(await chosen()).toEqual([])
      await page.goto(at('/unsubscribe'))
      await expect(page.getByRole('button', { name: t.unsubscribe.go })).toHaveCount(0)
    })
  })
