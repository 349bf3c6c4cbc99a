import type { Page } from '@playwright/test'
import { texts as verifyEn } from '../../apps/web/src/features/verify/texts.en.ts'
import { texts as verifyZh } from '../../apps/web/src/features/verify/texts.zh.ts'
import { createSampleNetwork, SAMPLES } from '../../packages/receipts/src/network.fixture.ts'
import { accessibilityViolations, expect, long, test, views } from './test-env.ts'

const network = createSampleNetwork()
for (const claims of Object.values(SAMPLES)) network.issue(claims)
const foreign = createSampleNetwork('foreign')
foreign.issue(SAMPLES.order)

const inFile = (name: string, content: object | string) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
})

/** Opens the page in a portal that publishes the key of the sample network. */
async function openPage(page: Page, url: string, keys: object[] = [{ x: network.key.publicKey }]) {
  await page.route('**/.well-known/jwks.json', (route) =>
    route.fulfill({ json: { keys: keys.map((key) => ({ kty: 'OKP', crv: 'Ed25519', kid: 'tr-sample', ...key })) } }),
  )
  await page.goto(url, { waitUntil: 'networkidle' })
}

for (const view of views)
  test.describe(view.name, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? verifyZh : verifyEn
    const choose = (page: Page, files: ReturnType<typeof inFile>[]) =>
      page.locator('input[type=file]').setInputFiles(files)
    const result = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
    const title = (page: Page, name: string) => result(page, name).getByRole('heading', { level: 3 })

    test('verifies receipts without a connection, once it is open', async ({ page, context, at }) => {
      await openPage(page, at('/verify'))
      await expect(page.getByRole('textbox', { name: w.key })).toHaveValue(network.key.publicKey)
      await context.setOffline(true)
      const anchor = await network.anchor(network.checkpoint())
      await choose(
        page,
        Object.keys(SAMPLES).map((kind, at) => inFile(`${kind}.json`, network.file(at, { anchor }))),
      )
      for (const kind of Object.keys(SAMPLES)) await expect(title(page, `${kind}.json`)).toHaveText(w.results.valid)
      await expect(result(page, 'download.json')).toContainText(w.passed.reader)
      await expect(result(page, 'upload.json')).toContainText(SAMPLES.upload.cid)
      await expect(result(page, 'upload.json')).toContainText('1 MiB')
      // Results are announced, and the keyboard continues there.
      await expect(page.getByRole('heading', { name: w.resultsTitle })).toBeFocused()
      for (const theme of long ? (['light', 'dark'] as const) : (['light'] as const)) {
        await page.emulateMedia({ colorScheme: theme })
        expect(await accessibilityViolations(page)).toEqual([])
      }
    })

    test('says what is wrong with forged, foreign and damaged files', async ({ page, at }) => {
      await openPage(page, at('/verify'))
      const file = network.file(0)
      await choose(page, [
        inFile('foreign.json', foreign.file(0)),
        inFile('forged.json', { ...file, receipt: network.sign({ forged: true }) }),
        inFile('cut.json', JSON.stringify(file).slice(0, -5)),
        inFile('large.json', ' '.repeat(10_000_000)),
      ])
      await expect(result(page, 'foreign.json')).toContainText(w.reasons.network.foreign)
      await expect(result(page, 'forged.json')).toContainText(w.reasons.claims.claims)
      await expect(result(page, 'forged.json')).toContainText(w.reasons.inclusion.root)
      await expect(result(page, 'cut.json')).toContainText(w.reasons.file.json)
      await expect(result(page, 'large.json')).toContainText(w.reasons.file.size)
      for (const name of ['foreign', 'forged', 'cut', 'large'])
        await expect(title(page, `${name}.json`)).toHaveText(w.results.invalid)
    })

    test('compares receipts with each other, and takes pasted text', async ({ page, at }) => {
      await openPage(page, at('/verify'))
      const other = createSampleNetwork()
      other.issue({ ...SAMPLES.upload, size: 1 })
      await choose(page, [inFile('one.json', network.file(0)), inFile('other.json', other.file(0))])
      await expect(page.getByText(w.relations.same_id)).toBeVisible()
      await page.getByRole('textbox', { name: w.paste }).fill(JSON.stringify(network.file(3)))
      await page.getByRole('button', { name: w.verifyPasted }).press('Enter')
      await expect(title(page, w.pasted)).toHaveText(w.results.valid)
      await expect(result(page, w.pasted)).toContainText(w.kinds.order)
      await expect(page.getByText(w.relations.same_id)).toBeHidden()
    })

    test('remembers the key of the network, and never replaces it by itself', async ({ page, at }) => {
      await openPage(page, at('/verify'))
      const field = page.getByRole('textbox', { name: w.key })
      await expect(field).toHaveValue(network.key.publicKey)
      await page.unrouteAll()
      await openPage(page, at('/verify'), [{ x: foreign.key.publicKey }])
      await expect(field).toHaveValue(network.key.publicKey)
      await choose(page, [inFile('foreign.json', foreign.file(0))])
      await expect(title(page, 'foreign.json')).toHaveText(w.results.invalid)
      // Whoever knows the key of another network can enter it.
      await field.fill(foreign.key.publicKey)
      await expect(title(page, 'foreign.json')).toHaveText(w.results.valid)
      await field.fill('')
      await expect(title(page, 'foreign.json')).toHaveText(w.results.unknown_network)
      await expect(field).toBeFocused()
    })

    test('trusts nobody if the portal does not give its key', async ({ page, at }) => {
      await openPage(page, at('/verify'), [{ kid: 'tn-other', x: network.key.publicKey }])
      await expect(page.getByText(w.keyUnknown)).toBeVisible()
      await choose(page, [inFile('order.json', network.file(3))])
      await expect(title(page, 'order.json')).toHaveText(w.results.unknown_network)
    })
  })
