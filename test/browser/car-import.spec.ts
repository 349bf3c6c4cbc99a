import { type Block, createFileHasher, rawCid, writeCar } from '@tidenet/content'
import { act, downloaded, expect, filesWords, test, viewsFor } from './test-env.ts'

/** A CAR whose root is a file. */
async function fileCar(bytes: Buffer): Promise<{ cid: string; car: Buffer }> {
  const hasher = createFileHasher({ chunkSize: 1_048_576 })
  hasher.update(bytes)
  const { cid, inner } = await hasher.finish()
  const blocks: Block[] = [...inner]
  for (let at = 0; at < bytes.length; at += 1_048_576) {
    const leaf = bytes.subarray(at, at + 1_048_576)
    blocks.push({ cid: await rawCid(leaf), bytes: leaf })
  }
  const parts: Uint8Array[] = []
  for await (const part of writeCar([cid], blocks)) parts.push(part)
  return { cid: cid.toString(), car: Buffer.concat(parts) }
}

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })

    test('a CAR is imported as what it holds, or kept as a file', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
      file,
      t,
    }) => {
      const w = filesWords(t)
      const bytes = file('tides.bin', 1_500_000).bytes
      const { car } = await fileCar(bytes)
      const { path } = file('tides.bin.car', car)
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      const upload = async (isImport: boolean) => {
        await page.getByRole('button', { name: w.files.upload, exact: true }).click()
        await page.getByRole('menuitem', { name: w.files.uploadOptions }).click()
        const options = page.getByRole('dialog')
        if (isImport) await options.getByRole('checkbox', { name: w.transfers.importCars }).click()
        const chooser = page.waitForEvent('filechooser')
        await options.getByRole('button', { name: w.transfers.chooseFiles, exact: true }).click()
        await (await chooser).setFiles(path)
        await expect(page.getByRole('region', { name: w.transfers.queueTitle })).toContainText(w.transfers.queueDone(1))
        await page.getByRole('button', { name: w.transfers.clear }).click()
      }
      await upload(true)
      await upload(false)
      const saved = await downloaded(page, () => act(page, t, 'tides.bin', t.words.download))
      expect(saved).toEqual({ name: 'tides.bin', bytes })
      await page.getByRole('dialog').getByRole('button', { name: t.words.close }).last().click()
      const kept = await downloaded(page, () => act(page, t, 'tides.bin.car', t.words.download))
      expect(kept).toEqual({ name: 'tides.bin.car', bytes: car })
    })

    test('encryption and importing exclude each other', async ({ page, user, signIn, at, t }) => {
      const w = filesWords(t)
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await page.getByRole('button', { name: w.files.upload, exact: true }).click()
      await page.getByRole('menuitem', { name: w.files.uploadOptions }).click()
      const box = page.getByRole('checkbox', { name: w.transfers.importCars })
      await box.click()
      await page.getByRole('checkbox', { name: w.transfers.encryption }).click()
      await expect(box).toBeDisabled()
      await expect(box).not.toBeChecked()
    })
  })
