import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { act, data, downloaded, expect, test, uploadTo, views } from './world.ts'

/** The files of a tar archive by path, below its one topmost folder; unpacked by what people unpack with. */
function unpacked(archive: Buffer, into: string): Map<string, Buffer> {
  mkdirSync(into, { recursive: true })
  execFileSync('tar', ['-xf', '-'], { cwd: into, input: archive })
  const [top] = readdirSync(into)
  const root = join(into, top ?? '')
  return new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(root, path), readFileSync(path)]),
  )
}

for (const view of views)
  test.describe(view.name, () => {
    test.use({ view })
    test.beforeEach(async ({ page, person, signIn, at, t }) => {
      await signIn(page, person)
      await page.goto(at('/fileStorage'))
      await expect(page.getByText(t.files.emptyTitle)).toBeVisible()
    })

    test('a file is uploaded, described and downloaded with the same bytes', async ({ page, person, file, t }) => {
      const { path, bytes } = file('报告 report.bin', 3_000_000)
      await uploadTo(page, t, 'files', path)
      await expect(page.getByRole('region', { name: t.transfers.queueTitle })).toContainText(t.transfers.queueDone(1))
      await page.getByRole('button', { name: t.transfers.clear }).click()

      await page.getByRole('button', { name: '报告 report.bin', exact: true }).click()
      const { list } = await data<{ list: { AssetOverview: { AssetRecord: { CID: string } } }[] }>(
        'folders.contents',
        {},
        person.token,
      )
      const details = page.getByRole('dialog')
      await expect(details.getByText(list[0]?.AssetOverview.AssetRecord.CID ?? 'none', { exact: true })).toBeVisible()
      await expect(details.getByText(t.files.formatPlain)).toBeVisible()
      await expect(details.getByText(t.files.nodeStatus[3] as string).first()).toBeVisible()
      await page.keyboard.press('Escape')

      const saved = await downloaded(page, () => act(page, t, '报告 report.bin', t.words.download))
      expect(saved.name).toBe('报告 report.bin')
      expect(saved.bytes.equals(bytes)).toBe(true)
      await expect(page.getByRole('dialog').getByText(t.transfers.verifiedFrom)).toBeVisible()
    })

    test('a folder is uploaded as it is and comes back as a tar of the same files', async ({ page, t }, info) => {
      const folder = info.outputPath('holiday')
      const files = new Map([
        ['readme.txt', Buffer.from('low tide at six\n')],
        ['day 1/beach.jpg', Buffer.alloc(300_000, 7)],
        ['day 1/深/nested.txt', Buffer.from('深')],
      ])
      for (const [path, bytes] of files) {
        const target = join(folder, path)
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, bytes)
      }
      await uploadTo(page, t, 'folder', folder)
      await expect(page.getByRole('region', { name: t.transfers.queueTitle })).toContainText(t.transfers.queueDone(1))
      await page.getByRole('button', { name: t.transfers.clear }).click()
      const saved = await downloaded(page, () => act(page, t, 'holiday', t.words.download))
      expect(saved.name).toBe('holiday.tar')
      const found = unpacked(saved.bytes, info.outputPath('unpacked'))
      expect([...found.keys()].sort()).toEqual([...files.keys()].sort())
      for (const [path, bytes] of files) expect(found.get(path)?.equals(bytes)).toBe(true)
    })

    test('a file is dropped, renamed, moved into a new folder and deleted with it', async ({ page, at, t }) => {
      const transfer = await page.evaluateHandle(() => {
        const dropped = new DataTransfer()
        dropped.items.add(new File(['driftwood'], 'driftwood.txt'))
        return dropped
      })
      await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer })
      await expect(page.getByText(t.files.dropHere(t.files.root))).toBeVisible()
      await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
      await expect(page.getByRole('button', { name: 'driftwood.txt', exact: true })).toBeVisible()
      await page.getByRole('button', { name: t.transfers.clear }).click()

      await act(page, t, 'driftwood.txt', t.files.rename)
      await page.getByLabel(t.files.newName).fill('原木.txt')
      await page.getByRole('button', { name: t.words.save }).click()
      await expect(page.getByRole('button', { name: '原木.txt', exact: true })).toBeVisible()

      await page.getByRole('button', { name: t.files.newFolder }).click()
      await page.getByLabel(t.files.folderName).fill('Shore 岸')
      await page.getByRole('button', { name: t.files.create, exact: true }).click()
      await expect(page.getByRole('link', { name: 'Shore 岸' })).toBeVisible()

      await act(page, t, '原木.txt', t.files.move)
      await page.getByRole('radio', { name: 'Shore 岸' }).check({ force: true })
      await page.getByRole('button', { name: t.files.moveHere }).click()
      await expect(page.getByRole('button', { name: '原木.txt', exact: true })).toBeHidden()
      await page.getByRole('link', { name: 'Shore 岸' }).click()
      await expect(page.getByRole('button', { name: '原木.txt', exact: true })).toBeVisible()
      await page.reload()
      await page.getByRole('navigation', { name: t.files.path }).getByRole('link', { name: t.files.root }).click()
      await expect(page).toHaveURL(at('/fileStorage'))

      await act(page, t, 'Shore 岸', t.words.delete)
      await expect(page.getByRole('dialog')).toContainText(t.files.deleteFolder(1))
      await page.getByRole('dialog').getByRole('button', { name: t.words.delete, exact: true }).click()
      await expect(page.getByText(t.files.emptyTitle)).toBeVisible()
    })

    test('pages hold as many rows as was chosen, also after coming back', async ({ page, person, t }) => {
      for (let number = 1; number <= 12; number++)
        await data('folders.create', { name: `folder ${number}`, parent: 0 }, person.token)
      await page.reload()
      await expect(page.getByText(t.files.pageOf(1, 10, 12))).toBeVisible()
      await page.getByRole('button', { name: t.files.next }).click()
      await expect(page.getByText(t.files.pageOf(11, 12, 12))).toBeVisible()
      await expect(page.getByRole('link', { name: /^folder/ })).toHaveCount(2)
      await page.getByRole('combobox', { name: t.files.rows }).click()
      await page.getByRole('option', { name: '20' }).click()
      await expect(page.getByRole('link', { name: /^folder/ })).toHaveCount(12)
      await page.reload()
      await expect(page.getByRole('link', { name: /^folder/ })).toHaveCount(12)

      await page.getByRole('checkbox', { name: t.files.selectAll }).click()
      await expect(page.getByText(t.files.selected(12))).toBeVisible()
      await page.getByRole('button', { name: t.words.delete, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: t.words.delete, exact: true }).click()
      await expect(page.getByText(t.files.emptyTitle)).toBeVisible()
    })

    test('an encrypted file opens with its passphrase alone', async ({ page, file, t }) => {
      const { path, bytes } = file('secret.txt', Buffer.from('where the tide pools are'))
      await page.getByRole('button', { name: t.files.upload, exact: true }).click()
      await page.getByRole('menuitem', { name: t.files.uploadOptions }).click()
      const options = page.getByRole('dialog')
      await options.getByRole('checkbox', { name: t.transfers.encryption }).click()
      await options.getByLabel(t.transfers.passphrase, { exact: true }).fill('spring tide 27')
      await options.getByLabel(t.transfers.passphraseRepeat).fill('spring tide 27')
      const chooser = page.waitForEvent('filechooser')
      await options.getByRole('button', { name: t.transfers.chooseFiles, exact: true }).click()
      await (await chooser).setFiles(path)
      await expect(page.getByRole('img', { name: t.files.encrypted })).toBeVisible()
      await page.getByRole('button', { name: t.transfers.clear }).click()

      await act(page, t, 'secret.txt', t.words.download)
      await page.getByLabel(t.transfers.passphrase, { exact: true }).fill('neap tide 27')
      await page.getByRole('button', { name: t.transfers.decrypt }).click()
      await expect(page.getByRole('dialog').getByText(t.transfers.failed)).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: t.words.close }).last().click()

      await act(page, t, 'secret.txt', t.words.download)
      await page.getByLabel(t.transfers.passphrase, { exact: true }).fill('spring tide 27')
      const saved = await downloaded(page, () => page.getByRole('button', { name: t.transfers.decrypt }).click())
      expect(saved).toEqual({ name: 'secret.txt', bytes })
    })
  })

test('an upload goes on at another node when the first one is gone', async ({
  page,
  person,
  signIn,
  at,
  file,
  expected,
  t,
}) => {
  expected.push(/ERR_FAILED/)
  await signIn(page, person)
  await page.goto(at('/fileStorage'))
  let first = ''
  await page.route(
    (url) => url.origin !== new URL(at('/')).origin,
    (route) => {
      const { origin } = new URL(route.request().url())
      first ||= origin
      return origin === first ? route.abort() : route.continue()
    },
  )
  await uploadTo(page, t, 'files', file('stubborn.bin', 500_000).path)
  const queue = page.getByRole('region', { name: t.transfers.queueTitle })
  await expect(queue).toContainText(t.transfers.state.retrying)
  await expect(queue).toContainText(t.transfers.queueDone(1), { timeout: 30_000 })
})

test('a cancelled upload leaves nothing, a failed one can be tried again', async ({
  page,
  context,
  person,
  signIn,
  at,
  file,
  t,
}) => {
  await signIn(page, person)
  await page.goto(at('/fileStorage'))
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_000_000 }
  await devtools.send('Network.emulateNetworkConditions', slow)
  await uploadTo(page, t, 'files', file('long.bin', 30_000_000).path)
  const queue = page.getByRole('region', { name: t.transfers.queueTitle })
  await expect(queue).toContainText(t.transfers.state.uploading)
  await queue.getByRole('button', { name: t.transfers.cancelOne('long.bin') }).click()
  await expect(queue).toContainText(t.transfers.state.cancelled)
  const used = async () =>
    (await data<{ UsedSize: number; ReservedSize: number }>('usage.storageSize', {}, person.token)).UsedSize
  await expect.poll(used).toBe(0)
  await expect(page.getByText(t.files.emptyTitle)).toBeVisible()

  await devtools.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
  await queue.getByRole('button', { name: t.transfers.retryOne('long.bin') }).click()
  await expect(queue).toContainText(t.transfers.queueDone(1))
  await expect.poll(used).toBe(30_000_000)
})

test.describe('refused are', () => {
  test('an empty file and one that does not fit', async ({ page, person, signIn, at, file, t }) => {
    await signIn(page, person)
    await page.goto(at('/fileStorage'))
    await uploadTo(page, t, 'files', [file('empty.txt', 0).path, file('huge.bin', Buffer.alloc(104_857_601)).path])
    const queue = page.getByRole('region', { name: t.transfers.queueTitle })
    await expect(queue).toContainText(t.transfers.queueFailed(2))
    await expect(page.getByText(t.files.emptyTitle)).toBeVisible()
  })

  test('names that are empty, too long or lead elsewhere', async ({ page, person, signIn, at, t }) => {
    await signIn(page, person)
    await page.goto(at('/fileStorage'))
    await page.getByRole('button', { name: t.files.newFolder }).click()
    const name = page.getByLabel(t.files.folderName)
    const create = page.getByRole('button', { name: t.files.create, exact: true })
    for (const [bad, why] of [
      ['  ', t.files.nameMissing],
      ['潮'.repeat(51), t.files.nameTooLong(50)],
      ['../up', t.files.nameForbidden],
    ] as const) {
      await name.fill(bad)
      await create.click()
      await expect(page.getByText(why)).toBeVisible()
    }
    await name.fill('潮'.repeat(50))
    await create.click()
    await expect(page.getByRole('link', { name: '潮'.repeat(50) })).toBeVisible()
  })

  test('the folder of somebody else', async ({ page, visitor, person, signIn, at, t }) => {
    const { group } = await data<{ group: { ID: number } }>('folders.create', { name: 'mine', parent: 0 }, person.token)
    await signIn(page, person)
    await page.goto(at(`/fileStorage?folder=${group.ID}`))
    await expect(page.getByText(t.files.emptyTitle)).toBeVisible()
    const stranger = await visitor()
    await stranger.goto(at(`/fileStorage?folder=${group.ID}`))
    await expect(stranger).toHaveURL(/\/login/)
  })
})
