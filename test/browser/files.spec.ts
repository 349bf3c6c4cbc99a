import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { act, data, downloaded, expect, filesWords, test, uploadTo, viewsFor } from './test-env.ts'

/** The files and empty folders (`a/`) of a tar archive by path below its root folder, unpacked with the system's tar. */
function unpacked(archive: Buffer, into: string): Map<string, Buffer> {
  mkdirSync(into, { recursive: true })
  execFileSync('tar', ['-xf', '-'], { cwd: into, input: archive })
  const [top] = readdirSync(into)
  const root = join(into, top ?? '')
  return new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
      .filter(({ entry, path }) => entry.isFile() || readdirSync(path).length === 0)
      .map(({ entry, path }) =>
        entry.isFile() ? [relative(root, path), readFileSync(path)] : [`${relative(root, path)}/`, Buffer.alloc(0)],
      ),
  )
}

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    test.beforeEach(async ({ page, user, signIn, at, t }) => {
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await expect(page.getByText(filesWords(t).files.emptyTitle)).toBeVisible()
    })

    test('uploads a file, shows its details and downloads the same bytes', async ({ page, user, file, t }) => {
      const w = filesWords(t)
      const { path, bytes } = file('报告 report.bin', 3_000_000)
      await uploadTo(page, t, 'files', path)
      await expect(page.getByRole('region', { name: w.transfers.queueTitle })).toContainText(w.transfers.queueDone(1))
      await page.getByRole('button', { name: w.transfers.clear }).click()

      await act(page, t, '报告 report.bin', filesWords(t).files.details)
      const { list } = await data<{ list: { AssetOverview: { AssetRecord: { CID: string } } }[] }>(
        'folders.contents',
        {},
        user.token,
      )
      const details = page.getByRole('dialog')
      await expect(details.getByText(list[0]?.AssetOverview.AssetRecord.CID ?? 'none', { exact: true })).toBeVisible()
      await expect(details.getByText(w.details.formatPlain)).toBeVisible()
      await expect(details.getByText(w.details.state.stored).first()).toBeVisible()
      await page.keyboard.press('Escape')

      const saved = await downloaded(page, () => act(page, t, '报告 report.bin', t.words.download))
      expect(saved.name).toBe('报告 report.bin')
      expect(saved.bytes.equals(bytes)).toBe(true)
      await expect(page.getByRole('dialog').getByText(w.transfers.verifiedFrom)).toBeVisible()
    })

    test('uploads a folder and downloads it as a tar of the same files', async ({ page, t }, info) => {
      const w = filesWords(t)
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
      await expect(page.getByRole('region', { name: w.transfers.queueTitle })).toContainText(w.transfers.queueDone(1))
      await page.getByRole('button', { name: w.transfers.clear }).click()
      const saved = await downloaded(page, () => act(page, t, 'holiday', w.files.downloadTar))
      expect(saved.name).toBe('holiday.tar')
      const found = unpacked(saved.bytes, info.outputPath('unpacked'))
      expect([...found.keys()].sort()).toEqual([...files.keys()].sort())
      for (const [path, bytes] of files) expect(found.get(path)?.equals(bytes)).toBe(true)
    })

    test('uploads files and nested folders dropped on any console page to the last visited folder', async ({
      page,
      user,
      at,
      t,
    }, info) => {
      const w = filesWords(t)
      const { group } = await data<{ group: { ID: number } }>('folders.create', { name: 'Pier', parent: 0 }, user.token)
      const folder = info.outputPath('nested')
      for (const path of ['outer/inner', 'outer/plans/later', 'bare'])
        mkdirSync(join(folder, path), { recursive: true })
      writeFileSync(join(folder, 'outer', 'top.txt'), 'top')
      writeFileSync(join(folder, 'outer', 'inner', 'deep.txt'), 'deep')
      writeFileSync(join(folder, 'loose.txt'), 'loose')
      // A drag from another program, which page scripts cannot simulate.
      const devtools = await page.context().newCDPSession(page)
      const drag = (type: 'dragEnter' | 'dragOver' | 'drop', names: string[]) =>
        devtools.send('Input.dispatchDragEvent', {
          type,
          x: view.width / 2,
          y: 400,
          data: { items: [], files: names.map((name) => join(folder, name)), dragOperationsMask: 1 },
        })
      const drop = async (names: string[], where: string) => {
        await drag('dragEnter', names)
        await drag('dragOver', names)
        await expect(page.getByText(w.files.dropHere(where))).toBeVisible()
        await drag('drop', names)
        await expect(page.getByText(w.files.dropHere(where))).toBeHidden()
      }
      const queue = page.getByRole('region', { name: w.transfers.queueTitle })

      await page.goto(at('/myAccount'))
      await expect(page.getByRole('heading', { name: t.pages.account, level: 1 })).toBeVisible()
      await drop(['loose.txt'], w.files.root)
      await expect(page).toHaveURL(at('/fileStorage'))
      await expect(queue).toContainText(w.transfers.queueDone(1))
      await expect(page.getByRole('button', { name: 'loose.txt', exact: true })).toBeVisible()
      await page.getByRole('button', { name: w.transfers.clear }).click()

      await page.getByRole('link', { name: 'Pier' }).first().click()
      await expect(page.getByText(w.files.emptyTitle)).toBeVisible()
      if (view.width < 1024) await page.getByRole('button', { name: t.shell.openMenu }).click()
      await page.getByRole('link', { name: t.pages.keys, exact: true }).first().click()
      // Until the next page has loaded, the file list accepts drops and stays open.
      await expect(page.getByRole('heading', { name: t.pages.keys, level: 1 })).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await drop(['outer'], 'Pier')
      await expect(page).toHaveURL(at(`/fileStorage?folder=${group.ID}`))
      await expect(queue).toContainText(w.transfers.queueDone(1))
      // An empty uploaded folder becomes an ordinary folder.
      await drop(['bare'], 'Pier')
      await expect(queue).toContainText(w.transfers.queueDone(2))
      await expect(page.getByRole('link', { name: 'bare', exact: true })).toBeVisible()
      const { list } = await data<{ list: { Group: { Name: string } | null }[] }>(
        'folders.contents',
        { parent: group.ID },
        user.token,
      )
      expect(list.map(({ Group }) => Group?.Name)).toContain('bare')
      const saved = await downloaded(page, () => act(page, t, 'outer', w.files.downloadTar))
      const found = unpacked(saved.bytes, info.outputPath('unpacked'))
      expect([...found].map(([path, bytes]) => [path, bytes.toString()]).sort()).toEqual([
        ['inner/deep.txt', 'deep'],
        ['plans/later/', ''],
        ['top.txt', 'top'],
      ])
    })

    test('drops a file, renames it, moves it into a new folder and deletes both', async ({ page, at, t }) => {
      const w = filesWords(t)
      const transfer = await page.evaluateHandle(() => {
        const dropped = new DataTransfer()
        dropped.items.add(new File(['driftwood'], 'driftwood.txt'))
        return dropped
      })
      await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer })
      await expect(page.getByText(w.files.dropHere(w.files.root))).toBeVisible()
      await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
      await expect(page.getByRole('button', { name: 'driftwood.txt', exact: true })).toBeVisible()
      await page.getByRole('button', { name: w.transfers.clear }).click()

      await act(page, t, 'driftwood.txt', w.files.rename)
      await page.getByLabel(w.files.newName).fill('原木.txt')
      await page.getByRole('button', { name: t.words.save }).click()
      await expect(page.getByRole('button', { name: '原木.txt', exact: true })).toBeVisible()

      await page.getByRole('button', { name: w.files.newFolder }).click()
      await page.getByLabel(w.files.folderName).fill('Shore 岸')
      await page.getByRole('button', { name: w.files.create, exact: true }).click()
      await expect(page.getByRole('link', { name: 'Shore 岸' })).toBeVisible()

      await act(page, t, '原木.txt', w.files.move)
      await page.getByRole('radio', { name: 'Shore 岸' }).check({ force: true })
      await page.getByRole('button', { name: w.files.moveHere }).click()
      await expect(page.getByRole('button', { name: '原木.txt', exact: true })).toBeHidden()
      await page.getByRole('link', { name: 'Shore 岸' }).click()
      await expect(page.getByRole('button', { name: '原木.txt', exact: true })).toBeVisible()
      await page.reload()
      await page.getByRole('navigation', { name: w.files.path }).getByRole('link', { name: w.files.root }).click()
      await expect(page).toHaveURL(at('/fileStorage'))

      await act(page, t, 'Shore 岸', w.files.toTrash)
      await expect(page.getByRole('dialog')).toContainText(w.files.deleteFolder(1))
      await page.getByRole('dialog').getByRole('button', { name: w.files.toTrash, exact: true }).click()
      await expect(page.getByText(w.files.emptyTitle)).toBeVisible()
    })

    test('remembers the page size', { tag: '@long' }, async ({ page, user, t }) => {
      const w = filesWords(t)
      for (let number = 1; number <= 12; number++)
        await data('folders.create', { name: `folder ${number}`, parent: 0 }, user.token)
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

      await page.getByRole('checkbox', { name: w.files.selectAll }).click()
      await expect(page.getByText(w.files.selected(12), { exact: true })).toBeVisible()
      await page.getByRole('toolbar').getByRole('button', { name: w.files.toTrash, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: w.files.toTrash, exact: true }).click()
      await expect(page.getByText(w.files.emptyTitle)).toBeVisible()
    })

    test('an encrypted file opens only with its passphrase', { tag: '@long' }, async ({ page, file, t }) => {
      const w = filesWords(t)
      const { path, bytes } = file('secret.txt', Buffer.from('where the tide pools are'))
      await page.getByRole('button', { name: w.files.upload, exact: true }).click()
      await page.getByRole('menuitem', { name: w.files.uploadOptions }).click()
      const options = page.getByRole('dialog')
      await options.getByRole('checkbox', { name: w.transfers.encryption }).click()
      await options.getByLabel(w.transfers.passphrase, { exact: true }).fill('spring tide 27')
      await options.getByLabel(w.transfers.passphraseRepeat).fill('spring tide 27')
      const chooser = page.waitForEvent('filechooser')
      await options.getByRole('button', { name: w.transfers.chooseFiles, exact: true }).click()
      await (await chooser).setFiles(path)
      await expect(page.getByRole('img', { name: w.files.encrypted })).toBeVisible()
      await page.getByRole('button', { name: w.transfers.clear }).click()

      await act(page, t, 'secret.txt', t.words.download)
      await page.getByLabel(w.transfers.passphrase, { exact: true }).fill('neap tide 27')
      await page.getByRole('button', { name: w.transfers.decrypt }).click()
      await expect(page.getByRole('dialog').getByText(w.transfers.failed)).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: t.words.close }).last().click()

      await act(page, t, 'secret.txt', t.words.download)
      await page.getByLabel(w.transfers.passphrase, { exact: true }).fill('spring tide 27')
      const saved = await downloaded(page, () => page.getByRole('button', { name: w.transfers.decrypt }).click())
      expect(saved).toEqual({ name: 'secret.txt', bytes })
    })
  })

test.describe('rejections', () => {
  test('rejects an empty file and one above the quota', { tag: '@long' }, async ({
    page,
    user,
    signIn,
    at,
    file,
    t,
  }) => {
    const w = filesWords(t)
    await signIn(page, user)
    await page.goto(at('/fileStorage'))
    await uploadTo(page, t, 'files', [file('empty.txt', 0).path, file('huge.bin', Buffer.alloc(104_857_601)).path])
    const queue = page.getByRole('region', { name: w.transfers.queueTitle })
    await expect(queue).toContainText(w.transfers.queueFailed(2))
    await expect(page.getByText(w.files.emptyTitle)).toBeVisible()
  })

  test('rejects names that are empty, too long or contain path separators', { tag: '@long' }, async ({
    page,
    user,
    signIn,
    at,
    t,
  }) => {
    const w = filesWords(t)
    await signIn(page, user)
    await page.goto(at('/fileStorage'))
    await page.getByRole('button', { name: w.files.newFolder }).click()
    const name = page.getByLabel(w.files.folderName)
    const create = page.getByRole('button', { name: w.files.create, exact: true })
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

  test('rejects a folder of another account, and one in the trash', { tag: '@long' }, async ({
    page,
    visitor,
    user,
    signIn,
    at,
    t,
  }) => {
    const w = filesWords(t)
    const { group } = await data<{ group: { ID: number } }>('folders.create', { name: 'mine', parent: 0 }, user.token)
    await signIn(page, user)
    await page.goto(at(`/fileStorage?folder=${group.ID}`))
    await expect(page.getByText(w.files.emptyTitle)).toBeVisible()
    const stranger = await visitor()
    await stranger.goto(at(`/fileStorage?folder=${group.ID}`))
    await expect(stranger).toHaveURL(/\/\?redirect=/)
    await data('folders.remove', { group_id: group.ID }, user.token)
    await page.reload()
    await expect(page.getByText(w.files.folderGone)).toBeVisible()
    await page.getByRole('button', { name: w.files.toRoot }).click()
    await expect(page.getByText(w.files.emptyTitle)).toBeVisible()
  })
})
