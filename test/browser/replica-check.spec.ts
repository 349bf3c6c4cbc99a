import { createStorage } from '@tidenet/storage'
import { createNetwork, type Network, type NodeHandle } from '@tidenet/testnet'
import {
  accessibilityViolations,
  act,
  data,
  expect,
  filesWords,
  overflows,
  type TestUser,
  test,
  viewsFor,
} from './test-env.ts'

/** A corrupt copy on a real node, in a network of its own: other tests need honest nodes. */

let network: Network
let corrupt: NodeHandle
const shared = process.env.TIDENET_URL
test.beforeAll(async () => {
  test.setTimeout(120_000)
  network = await createNetwork({ nodes: [{ kind: 'candidate' }, { kind: 'candidate' }, { kind: 'validator' }] })
  process.env.TIDENET_URL = network.url
})
test.afterAll(async () => {
  if (shared === undefined) delete process.env.TIDENET_URL
  else process.env.TIDENET_URL = shared
  await network?.stop()
})

interface Replica {
  node_id: string
  state: string
}
const replicas = async (user: TestUser, cid: string) =>
  (await data<{ list: Replica[] }>('assets.replicas', { cid }, user.token)).list

/** The node starts again with its key and contents. */
async function restart(env: Record<string, string>): Promise<void> {
  await corrupt.process.stop()
  corrupt = await network.addNode({ kind: 'candidate', name: corrupt.name, area: corrupt.area, env })
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })

    test('a corrupt copy is shown as corrupt while an audit removes it, and stays on the page', {
      tag: '@long',
    }, async ({ page, user, signIn, at, t, expected }) => {
      test.setTimeout(120_000)
      // The node may have obeyed the order to remove the copy when it is checked.
      expected.push(/404/)
      const w = filesWords(t)
      // A new one for each view: one that failed audits gets no copies for a while.
      corrupt = await network.addNode({ kind: 'candidate', name: `spoiled-${view.width}-${test.info().retry}` })
      const storage = createStorage({ url: network.url, token: user.token })
      const uploaded = await storage.uploadAsset(new Uint8Array(3_000_000).fill(view.width % 256), {
        name: 'proof.bin',
      })
      const { cid } = uploaded.data as { cid: string }
      const stateOf = async (id: string) => (await replicas(user, cid)).find(({ node_id }) => node_id === id)?.state
      await expect.poll(() => stateOf(corrupt.id), { timeout: 30_000 }).toBe('stored')

      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await act(page, t, 'proof.bin', filesWords(t).files.details)
      const details = page.getByRole('dialog')
      const row = details.locator(`#replica-${corrupt.id}`)
      const check = row.getByRole('button', { name: w.details.challengeOne(corrupt.name) })
      await expect(check).toBeEnabled()

      // The page keeps the list in which the copy is stored; meanwhile audits find it and the server gives it up.
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/get_asset_replicas*', async (route) => {
        await released
        await route.continue()
      })
      await restart({ TIDENET_NODE_FAULT: 'flip-bits' })
      await expect.poll(() => stateOf(corrupt.id), { timeout: 60_000 }).not.toBe('stored')

      await check.click()
      const verdict = row.getByText(w.details.corrupt, { exact: true })
      await expect(verdict).toBeVisible()
      await expect(row.getByText(w.details.failedWrong).or(row.getByText(w.details.failedMissing))).toBeVisible()
      const red = await verdict.evaluate((element) => getComputedStyle(element).color.match(/\d+/g)?.map(Number) ?? [])
      expect(red[0]).toBeGreaterThan((red[1] ?? 0) + 80)
      expect(await accessibilityViolations(page)).toEqual([])

      // The list is fetched again, without or with another state of this copy.
      release()
      await expect(row.getByText(w.details.state.stored, { exact: true })).toHaveCount(0, { timeout: 40_000 })
      await expect(verdict).toBeVisible()
      await expect(details.getByRole('button', { name: new RegExp(w.details.corrupt) }).first()).toBeAttached()
      expect(await overflows(page)).toBe(false)
    })
  })
