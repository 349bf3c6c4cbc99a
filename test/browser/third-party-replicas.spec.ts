import { THIRD_PARTY_COPIES, THIRD_PARTY_DAYS } from '@tidenet/contract'
import { createStorage } from '@tidenet/storage'
import { texts as adminEn } from '../../apps/web/src/features/admin/third-parties-texts.en.ts'
import { texts as adminZh } from '../../apps/web/src/features/admin/third-parties-texts.zh.ts'
import { texts as en } from '../../apps/web/src/features/third-party/texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/third-party/texts.zh.ts'
import {
  accessibilityViolations,
  act,
  data,
  expect,
  filesWords,
  operator,
  overflows,
  type TestUser,
  test,
  viewsFor,
} from './test-env.ts'

/** Third-party replicas on a network that simulates them. */

const DAY = 24 * 3600 * 1000

interface Listed {
  stored: number
  simulated: number
  list: { state: string; deal_id: string; provider: string; start_time: string; end_time: string; simulated: boolean }[]
}
const list = (user: TestUser, cid: string) => data<Listed>('thirdParty.list', { cid }, user.token)

for (const view of viewsFor('narrow'))
  test.describe(`third-party replicas, ${view.name}`, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? zh : en
    const admin = view.lang === 'zh' ? adminZh : adminEn

    async function upload(user: TestUser, at: (path: string) => string): Promise<string> {
      const storage = createStorage({ url: at(''), token: user.token })
      const bytes = new Uint8Array(50_000).map(() => Math.floor(Math.random() * 256))
      const uploaded = await storage.uploadAsset(bytes, { name: 'tide.bin' })
      return (uploaded.data as { cid: string }).cid
    }

    test('move from waiting to stored with provider, deal and end; simulated ones say so', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      test.setTimeout(120_000)
      const boss = await operator()
      await data('admin.setVip', { uid: user.uid, vip: true, reason: 'test' }, boss.token)
      const cid = await upload(user, at)
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await act(page, t, 'tide.bin', filesWords(t).files.details)
      const section = page.getByRole('dialog').getByRole('region', { name: w.title })
      // The file is not encrypted, and the account has not agreed.
      await expect(section).toContainText(w.excluded.noAgreement)
      await section.getByRole('link', { name: w.change }).click()

      const all = page.getByRole('radio', { name: w.choices.all.title })
      await expect(page.getByRole('radio', { name: w.choices.encrypted.title })).toBeChecked()
      await expect(page.getByText(w.choices.all.hint)).toBeVisible()
      // Copies cannot be taken back. Arrow keys select what they pass.
      await page.getByRole('radio', { name: w.choices.encrypted.title }).press('ArrowDown')
      const ask = page.getByRole('dialog', { name: w.askTitle })
      await expect(ask).toContainText(w.choices.all.hint)
      expect(await accessibilityViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await expect(all).not.toBeChecked()
      await all.click()
      await ask.getByRole('button', { name: w.askConfirm }).click()
      await expect(all).toBeChecked()
      await expect
        .poll(async () => (await data<{ choice: string }>('thirdParty.choice', {}, user.token)).choice)
        .toBe('all')
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await overflows(page)).toBe(false)

      await page.goto(at('/fileStorage'))
      await act(page, t, 'tide.bin', filesWords(t).files.details)
      const copies = THIRD_PARTY_COPIES.vip
      await expect(section.getByText(w.simulated, { exact: true })).toHaveCount(copies, { timeout: 30_000 })
      await expect(section.getByText(w.states.stored, { exact: true })).toHaveCount(copies, { timeout: 60_000 })
      await expect(section).toContainText(w.simulatedNote)
      const { list: replicas, stored, simulated } = await list(user, cid)
      expect([stored, simulated]).toEqual([copies, copies])
      for (const { deal_id, provider, start_time, end_time } of replicas) {
        await expect(section).toContainText(deal_id)
        await expect(section).toContainText(provider)
        const days = (Date.parse(end_time) - Date.parse(start_time)) / DAY
        expect(days).toBeGreaterThan(THIRD_PARTY_DAYS.min - 1)
        expect(days).toBeLessThan(THIRD_PARTY_DAYS.max + 1)
      }
      await expect(page.getByRole('dialog')).toContainText(filesWords(t).details.thirdPartySimulated(copies, copies))
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
    })

    test('operators see the providers, their health and their numbers', async ({ page, signIn, at }) => {
      const boss = await operator()
      await signIn(page, boss)
      await page.goto(at('/admin?view=thirdParties'))
      await expect(page.getByRole('heading', { name: 'simulation' })).toContainText(admin.simulated)
      await expect(page.getByText(admin.kinds.simulation)).toBeVisible()
      await expect(page.getByRole('heading', { name: admin.failuresTitle })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
    })

    test('accounts with a free plan get none, and the page says why', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      await upload(user, at)
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await act(page, t, 'tide.bin', filesWords(t).files.details)
      await expect(page.getByRole('region', { name: w.title })).toContainText(w.excluded.plan)
    })
  })
