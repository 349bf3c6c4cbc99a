import { createReadStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { readTar } from '@tidenet/content/tar'
import { createNetwork, type Network } from '@tidenet/testnet'
import { openPromise } from 'yauzl'
import { ofProcess, peakMemory, provideQuota, sha256, writeLargeFile } from '../large-files.ts'
import { createUser, data, expect, filesWords, type TestUser, test, throttle, uploadTo } from './test-env.ts'

const MiB = 2 ** 20
/** Longer than 32 bits can say, and no multiple of any block size. TIDENET_TEST_LARGE sets the MiB. */
const SIZE = Number(process.env.TIDENET_TEST_LARGE ?? 5 * 1024) * MiB + 12_345
/** Resident MiB of a process at most. With 300 MiB they have about 200, 140 and 690, with 5 GiB 210, 140 and 760. */
const BOUNDS = { server: 400, node: 400, browser: 1000 }
const TIMEOUT_MS = 1_200_000

/** On disk, not in the memory that other tests use: together the files are larger. */
let folder: string
let source: string
let profile: string
let sum: string
let network: Network
let context: BrowserContext
let person: TestUser
const portal = process.env.TIDENET_URL

const parent = (pid: string) => /PPid:\s+(\d+)/.exec(ofProcess(pid, 'status'))?.[1] ?? '0'

/** The processes of this file's browser, not of others. */
function browserProcesses(): string[] {
  const belongs = (pid: string): boolean =>
    Number(pid) > 1 && (ofProcess(pid, 'cmdline').includes(`--user-data-dir=${profile}`) || belongs(parent(pid)))
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && belongs(pid))
}

function expectFlat(): void {
  const most = {
    server: peakMemory(network.server.process.pid),
    node: Math.max(...network.nodes.map(({ process: { pid } }) => peakMemory(pid))),
    browser: Math.max(...browserProcesses().map(peakMemory)),
  }
  test.info().annotations.push({ type: 'MiB', description: JSON.stringify(most) })
  for (const [name, bound] of Object.entries(BOUNDS)) {
    const used = most[name as keyof typeof BOUNDS]
    expect(used, name).toBeGreaterThan(50)
    expect(used, name).toBeLessThan(bound)
  }
}

test.describe.configure({ mode: 'serial', retries: 0 })
test.setTimeout(TIMEOUT_MS + 300_000)

test.beforeAll(async () => {
  test.setTimeout(600_000)
  folder = mkdtempSync('/var/tmp/tidenet-large-')
  source = join(folder, 'tide.bin')
  profile = join(folder, 'profile')
  network = await createNetwork({ mode: 'development', data: join(folder, 'network'), nodes: [{ kind: 'candidate' }] })
  process.env.TIDENET_URL = network.url
  person = await createUser()
  await provideQuota(network.databaseUrl, 100 * 2 ** 30)
  sum = await writeLargeFile(source, SIZE)
  // A profile on disk: what windows without one store is in memory.
  context = await chromium.launchPersistentContext(profile, {
    ...test.info().project.use.launchOptions,
    viewport: { width: 1280, height: 900 },
  })
  context.setDefaultTimeout(60_000)
})
test.afterAll(async () => {
  if (portal === undefined) delete process.env.TIDENET_URL
  else process.env.TIDENET_URL = portal
  await context?.close()
  await network?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

/** The files page of the person. */
async function filesPage(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${network.url}/theme.js`)
  await page.evaluate(({ token, uid, email }) => {
    localStorage.setItem('tidenet.cookies', 'declined')
    const state = { token, address: uid, emailAddress: email, userinfo: { uid, vip: false, account: email } }
    localStorage.setItem('tidenet.login', JSON.stringify({ state, version: 1 }))
  }, person)
  // Chromium without a window has no dialog for it: what is saved goes to the private file system of the page, on disk.
  await page.addInitScript(() => {
    Object.assign(window, {
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
    })
  })
  await page.goto(`${network.url}/fileStorage`)
  return page
}

/** The path of the only large file that pages have saved. */
function savedFile(): string {
  const saved = readdirSync(profile, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.includes('File System'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size >= SIZE)
  expect(saved).toHaveLength(1)
  return saved[0] ?? ''
}

async function inZip(path: string): Promise<Map<string, string>> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  const found = new Map<string, string>()
  for await (const entry of zip.eachEntry())
    found.set(entry.fileName, await sha256(await zip.openReadStreamPromise(entry)))
  zip.close()
  return found
}
async function inTar(path: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const { name, body } of readTar(createReadStream(path))) found.set(name, await sha256(body))
  return found
}

test('a file of 5 GiB is uploaded in flat memory', { tag: '@long' }, async ({ t }) => {
  const w = filesWords(t)
  const page = await filesPage()
  await uploadTo(page, t, 'files', [source])
  const queue = page.getByRole('region', { name: w.transfers.queueTitle })
  await expect(queue).toContainText(w.transfers.queueDone(1), { timeout: TIMEOUT_MS })
  expectFlat()
  await page.close()
  const { list } = await data<{ list: { AssetOverview: { UserAssetDetail: { TotalSize: number } } }[] }>(
    'folders.contents',
    {},
    person.token,
  )
  expect(list.map(({ AssetOverview }) => AssetOverview.UserAssetDetail.TotalSize)).toEqual([SIZE])
})

for (const format of ['zip', 'tar'] as const)
  test(`and downloaded as ${format} in flat memory, although node and server are killed`, { tag: '@long' }, async ({
    t,
  }) => {
    const w = filesWords(t)
    if (format === 'zip') await data('folders.create', { name: 'Empty', parent: 0 }, person.token)
    const page = await filesPage()
    const connection = await throttle(page, -1, 20 * MiB)
    await page.getByRole('checkbox', { name: w.files.selectAll }).click()
    const button = format === 'zip' ? w.files.downloadZip : w.files.downloadTar
    await page.getByRole('toolbar').getByRole('button', { name: button }).click()
    const dialog = page.getByRole('dialog')
    const bar = dialog.getByRole('progressbar').first()
    const percent = async () => Number(await bar.getAttribute('aria-valuenow'))
    for (const { process } of [...network.nodes, network.server]) {
      const before = await percent()
      await expect.poll(percent, { timeout: 60_000 }).toBeGreaterThan(before)
      process.kill('SIGKILL')
      await process.exited
      await process.restart()
    }
    expect(await percent()).toBeLessThan(100)
    await connection.free()
    await expect(dialog.getByText(w.transfers.verifiedFrom)).toBeVisible({ timeout: TIMEOUT_MS })
    expectFlat()
    const saved = savedFile()
    const found = await (format === 'zip' ? inZip(saved) : inTar(saved))
    expect([...found.keys()].sort()).toEqual(['Empty/', 'tide.bin'])
    expect(found.get('tide.bin')).toBe(sum)
    await page.evaluate(async () => {
      const saved = await navigator.storage.getDirectory()
      for await (const name of saved.keys()) await saved.removeEntry(name)
    })
    await page.close()
  })
