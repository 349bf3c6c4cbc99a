import { texts as en } from '../../apps/web/src/features/teams/texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/teams/texts.zh.ts'
import {
  accessibilityViolations,
  act,
  call,
  countClicks,
  createUser,
  data,
  expect,
  filesWords,
  type TestUser,
  test,
  uploadTo,
  viewsFor,
} from './test-env.ts'

interface Teams {
  list: { team: string; name: string }[]
  invitations: { id: number }[]
}

/** A team of the account, with a member. */
async function teamOf(owner: TestUser, member: TestUser, role: 'viewer' | 'editor'): Promise<string> {
  const { team } = await data<{ team: string }>('teams.create', { name: 'Harbour' }, owner.token)
  await data('teams.invite', { team, email: member.email, role }, owner.token)
  const { invitations } = await data<Teams>('teams.list', {}, member.token)
  await data('teams.answer', { id: invitations[0]?.id ?? 0, accept: true }, member.token)
  return team
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const t = view.lang === 'zh' ? zh : en

    test('an owner creates a team and invites; the member accepts, uploads, and is seen in the activity', async ({
      page,
      user,
      signIn,
      at,
      visitor,
      file,
      t: texts,
    }) => {
      const other = await createUser()
      await signIn(page, user)
      await page.goto(at('/teams'))
      const clicks = await countClicks(page)
      await page.getByRole('button', { name: t.create }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.name).fill('Harbour crew')
      await dialog.getByRole('button', { name: t.create }).click()
      await expect(page.getByRole('heading', { name: 'Harbour crew' })).toBeVisible()
      await page.getByRole('button', { name: t.invite }).click()
      await dialog.getByLabel(t.email).fill(other.email)
      await dialog.getByRole('button', { name: t.invite }).click()
      await expect(page.getByText(other.email).first()).toBeVisible()
      expect(await clicks()).toBe(4)
      expect(await accessibilityViolations(page)).toEqual([])

      const theirs = await visitor()
      await signIn(theirs, other)
      await theirs.goto(at('/teams'))
      await theirs.getByRole('button', { name: t.accept }).click()
      await theirs.getByRole('button', { name: t.openOf('Harbour crew') }).click()
      await expect(theirs.getByText(t.acting('Harbour crew', t.roles.editor))).toBeVisible()
      const { path } = file('chart.txt', Buffer.from('tide table'))
      await uploadTo(theirs, texts, 'files', path)
      await expect(theirs.getByRole('main').getByText('chart.txt').first()).toBeVisible()
      await theirs.reload()
      await expect(theirs.getByText('chart.txt').first()).toBeVisible()
      await act(theirs, texts, 'chart.txt', filesWords(texts).files.preview)
      await expect(theirs.getByText('tide table')).toBeVisible()
      await theirs.keyboard.press('Escape')
      await theirs.getByRole('button', { name: t.leaveActing }).click()
      await expect(theirs.getByText(t.actingHint)).toBeHidden()
      await expect(theirs.getByText('chart.txt')).toBeHidden()

      await page.reload()
      await expect(page.getByText('chart.txt').first()).toBeVisible()
      await expect(page.getByText(t.events['member.join']).first()).toBeVisible()
    })

    test('a refused name or invitation keeps what was typed, and the field has the focus', async ({
      page,
      user,
      signIn,
      at,
      t: texts,
    }) => {
      await signIn(page, user)
      await page.goto(at('/teams'))
      await page.getByRole('button', { name: t.create }).click()
      const dialog = page.getByRole('dialog')
      const name = dialog.getByLabel(t.name)
      await name.fill('Harbour/crew')
      await dialog.getByRole('button', { name: t.create }).click()
      await expect(dialog.getByText(texts.files.nameForbidden)).toBeVisible()
      await expect(name).toBeFocused()
      await expect(name).toHaveValue('Harbour/crew')
      await name.fill('Harbour crew')
      await page.keyboard.press('Enter')

      await page.getByRole('button', { name: t.invite }).click()
      const email = dialog.getByLabel(t.email)
      for (const refused of ['not an address', user.email]) {
        await email.fill(refused)
        await dialog.getByRole('button', { name: t.invite }).click()
        await expect(email).toHaveAttribute('aria-invalid', 'true')
        await expect(email).toBeFocused()
        await expect(email).toHaveValue(refused)
      }
    })

    test('an owner hands the team over and leaves', { tag: '@long' }, async ({ page, user, signIn, at }) => {
      const other = await createUser()
      const team = await teamOf(user, other, 'viewer')
      await signIn(page, user)
      await page.goto(at(`/teams?team=${team}`))
      await page.getByRole('combobox', { name: t.roleOf(other.email) }).click()
      await page.getByRole('option', { name: t.roles.owner }).click()
      await expect(page.getByText(t.roleChanged)).toBeVisible()
      await page.getByRole('button', { name: t.leave }).click()
      await page.getByRole('dialog').getByRole('button', { name: t.leave }).click()
      await expect(page.getByText(t.emptyTitle)).toBeVisible()
      expect((await data<Teams>('teams.list', {}, other.token)).list).toMatchObject([{ team }])
    })

    test('a viewer sees no management and is refused changes of files; a removed member sees nothing', async ({
      page,
      user,
      signIn,
      at,
      expected,
    }) => {
      expected.push(/./)
      const other = await createUser()
      const team = await teamOf(user, other, 'viewer')
      await signIn(page, other)
      await page.goto(at(`/teams?team=${team}`))
      await expect(page.getByRole('heading', { name: 'Harbour' })).toBeVisible()
      await expect(page.getByRole('button', { name: t.invite })).toBeHidden()
      await expect(page.getByRole('button', { name: t.delete })).toBeHidden()
      expect((await call('teams.rename', { team, name: 'Mine' }, other.token)).code).toBe(-1)
      await data('teams.removeMember', { team, uid: other.uid }, user.token)
      await page.reload()
      await expect(page.getByText(t.emptyTitle)).toBeVisible()
    })
  })
