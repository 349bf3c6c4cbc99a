import type { Page } from '@playwright/test'
import type { NetworkIdentity } from '@tidenet/receipts'
import { texts as verifyEn } from '../../apps/web/src/features/verify/texts.en.ts'
import { texts as verifyZh } from '../../apps/web/src/features/verify/texts.zh.ts'
import { CHAIN, createSampleNetwork, DAY, SAMPLES } from '../../packages/receipts/src/network.fixture.ts'
import { accessibilityViolations, expect, long, test, viewsFor } from './test-env.ts'

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
async function openPage(
  page: Page,
  url: string,
  keys: object[] = [{ x: network.key.publicKey }],
  { anchors }: Pick<NetworkIdentity, 'anchors'> = network.identity,
) {
  const published = keys.map((key) => ({ kty: 'OKP', crv: 'Ed25519', kid: 'tr-sample', ...key }))
  await page.route('**/.well-known/jwks.json', (route) => route.fulfill({ json: { keys: published, anchors } }))
  await page.goto(url, { waitUntil: 'networkidle' })
}

for (const view of viewsFor('wide'))
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
      await expect(result(page, 'upload.json')).toContainText(w.levels.anchored(''))
      // Results are announced, and the keyboard continues there.
      await expect(page.getByRole('heading', { name: w.resultsTitle })).toBeFocused()
      for (const theme of long ? (['light', 'dark'] as const) : (['light'] as const)) {
        await page.emulateMedia({ colorScheme: theme })
        expect(await accessibilityViolations(page)).toEqual([])
      }
    })

    test('calls anchored only what an address of the operators signed, and asks only the chain that is named', async ({
      page,
      at,
    }) => {
      const asked: string[] = []
      let height = '12'
      const own = await network.anchor(network.checkpoint())
      await page.route('http://chain.test/**', (route) => {
        const url = new URL(route.request().url())
        asked.push(url.pathname)
        const sync_info = { catching_up: false, earliest_block_height: '1' }
        const result =
          url.pathname === '/status' ? { node_info: { network: CHAIN }, sync_info } : { height, tx: own.tx }
        return route.fulfill({ json: { result }, headers: { 'access-control-allow-origin': '*' } })
      })
      await openPage(page, at('/verify'))
      const file = inFile('own.json', network.file(0, { anchor: own }))
      const others = inFile('others.json', network.file(0, { anchor: await foreign.anchor(network.checkpoint()) }))
      await choose(page, [file])
      await expect(result(page, 'own.json')).toContainText(w.levels.anchored(''))
      await expect(result(page, 'own.json')).toContainText(w.reasons.block.not_asked)
      expect(asked).toEqual([])
      const chain = page.getByRole('textbox', { name: w.chain })
      await chain.fill('chain')
      await chain.press('Enter')
      await expect(page.getByText(w.chainBad)).toBeVisible()
      await chain.fill('http://chain.test')
      await page.getByRole('button', { name: w.askChain }).click()
      await expect(result(page, 'own.json')).toContainText(w.levels.on_chain(CHAIN))
      height = '13'
      await choose(page, [file])
      await expect(result(page, 'own.json')).toContainText(w.reasons.block.height)
      await chain.fill('')
      await page.getByRole('button', { name: w.askChain }).click()
      await choose(page, [others])
      await expect(title(page, 'others.json')).toHaveText(w.results.invalid)
      await expect(result(page, 'others.json')).toContainText(w.reasons.anchor.operator)
      // Without an address, the same transaction proves nothing.
      await page.getByRole('textbox', { name: w.operator }).fill('')
      await expect(title(page, 'others.json')).toHaveText(w.results.valid)
      await expect(result(page, 'others.json')).toContainText(w.reasons.anchor.no_operator)
      await expect(result(page, 'others.json')).not.toContainText(w.levels.anchored(''))
    })

    test('accepts every key that the network published, while it was valid', { tag: '@long' }, async ({ page, at }) => {
      const former = { x: foreign.key.publicKey, exp: DAY + 200_000 }
      await openPage(page, at('/verify'), [{ x: network.key.publicKey }, former])
      await choose(page, [inFile('former.json', foreign.file(0)), inFile('current.json', network.file(0))])
      for (const name of ['former', 'current']) await expect(title(page, `${name}.json`)).toHaveText(w.results.valid)
      await page.evaluate(() => localStorage.clear())
      await page.unrouteAll()
      await openPage(page, at('/verify'), [{ x: network.key.publicKey }, { ...former, exp: DAY }])
      await choose(page, [inFile('former.json', foreign.file(0))])
      await expect(result(page, 'former.json')).toContainText(w.reasons.network.validity)
    })

    test('says what is wrong with forged, foreign and damaged files', { tag: '@long' }, async ({ page, at }) => {
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

    test('compares receipts with each other, and takes pasted text', { tag: '@long' }, async ({ page, at }) => {
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

    test('remembers the key of the network, and never replaces it by itself', { tag: '@long' }, async ({
      page,
      at,
    }) => {
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
