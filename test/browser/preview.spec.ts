import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { share, sound, test } from './share-helpers.ts'
import { accessibilityViolations, expect, viewsFor } from './test-env.ts'

/** A PNG of one colour. */
function picture(width: number, height: number): Buffer {
  const chunk = (type: string, bytes: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), bytes])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(bytes.length)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc((width * 3 + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>',
)
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>document.title="taken"</script><rect width="9" height="9"/></svg>',
)

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })

    test('the share page previews a file at once on desktops, on request on phones', async ({
      visitor,
      user,
      at,
      w,
    }) => {
      const { search } = await share(user, 'tides.txt', Buffer.from('the tide comes in\n'))
      const friend = await visitor()
      const text = friend.getByText('the tide comes in')
      await friend.setViewportSize({ width: 1280, height: 900 })
      await friend.goto(at(`/distributionstatus${search}`))
      await expect(text).toBeVisible()

      await friend.setViewportSize({ width: 390, height: 844 })
      await friend.reload()
      const ask = friend.getByRole('button', { name: w.shares.actions.showPreview('18 B') })
      await expect(ask).toBeVisible()
      await expect(text).toHaveCount(0)
      await ask.click()
      await expect(text).toBeVisible()
    })

    test('previews images, audio, documents, tables and texts, and verifies every block', { tag: '@long' }, async ({
      page,
      user,
      at,
      w,
    }) => {
      const show = async (name: string, bytes: Buffer) => {
        const { search } = await share(user, name, bytes)
        await page.goto(at(`/preview${search}`))
        await expect(page.getByRole('heading', { name })).toBeVisible()
        await expect(page.getByText(w.preview.verified)).toBeVisible()
      }
      await show('coast.png', picture(640, 400))
      const image = page.getByRole('img', { name: 'coast.png' })
      const width = () => image.evaluate((element) => (element as HTMLImageElement).clientWidth)
      expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(640)
      await page.getByRole('button', { name: w.preview.image.actual }).click()
      await expect.poll(width).toBe(640)
      await page.getByRole('button', { name: w.preview.image.in }).click()
      await expect.poll(width).toBe(960)
      expect(await accessibilityViolations(page)).toEqual([])

      await show('song.wav', sound(2))
      await expect
        .poll(() => page.locator('audio').evaluate((element) => (element as HTMLAudioElement).duration))
        .toBeCloseTo(2, 1)

      // The headless shell has no viewer of its own; this shows what browsers with one do.
      await page.addInitScript(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => true }))
      await show('tables.pdf', PDF)
      await expect(page.getByTitle(w.preview.pdf.label('tables.pdf'))).toBeVisible()

      const rows = Array.from({ length: 3000 }, (_, index) => `station ${index};"high; ${index}"`)
      await show('tides.csv', Buffer.from(['name;level', ...rows].join('\n')))
      await expect(page.getByRole('columnheader', { name: 'level' })).toBeVisible()
      await expect(page.getByRole('cell', { name: 'high; 3', exact: true })).toBeVisible()
      await expect(page.getByText(w.preview.table.rows(3000, 2))).toBeVisible()
      // Only visible rows are rendered.
      expect(await page.getByRole('row').count()).toBeLessThan(200)
      expect(await accessibilityViolations(page)).toEqual([])

      await show('读我.md', Buffer.from('# 潮汐\r\n\r\nline three'))
      await expect(page.getByRole('heading', { name: '潮汐' })).toBeVisible()
      await page.getByLabel(w.preview.markdown.source).check()
      await expect(page.getByText(w.preview.text.lines(3))).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      // The parser would need minutes: the page stays usable, and shows the text.
      await show('hostile.md', Buffer.from('_a'.repeat(60_000)))
      await expect(page.getByText(w.preview.text.lines(1))).toBeVisible({ timeout: 20_000 })
    })

    test('never executes shared content', async ({ page, user, at, w }) => {
      const { search } = await share(user, 'drawing.svg', SVG)
      await page.goto(at(`/preview${search}`))
      const image = page.getByRole('img', { name: 'drawing.svg' })
      await expect(image).toHaveAttribute('src', /^data:image\/svg\+xml/)
      await expect(page.getByText(w.preview.image.still)).toBeVisible()
      const { search: html } = await share(
        user,
        'page.html',
        Buffer.from('<script>document.title="taken"</script><h1>Hello</h1>'),
      )
      await page.goto(at(`/preview${html}`))
      await expect(page.getByText('<h1>Hello</h1>')).toBeVisible()
      await expect(page).not.toHaveTitle('taken')
      const { search: fake } = await share(user, 'fake.pdf', Buffer.from('<script>document.title="taken"</script>'))
      await page.goto(at(`/preview${fake}`))
      await expect(page.getByText(w.preview.pdf.broken)).toBeVisible()
      await expect(page).not.toHaveTitle('taken')
    })

    test('streams a long recording and seeks by ranges', { tag: '@long' }, async ({ page, user, at, w }) => {
      const { search } = await share(user, 'long.wav', sound(400))
      const ranges: string[] = []
      page.on('request', (request) => {
        const { range } = request.headers()
        if (request.resourceType() === 'media' && range) ranges.push(range)
      })
      await page.goto(at(`/preview${search}`))
      const player = page.locator('audio')
      await expect.poll(() => player.evaluate((element) => (element as HTMLAudioElement).readyState)).toBeGreaterThan(0)
      await player.evaluate((element) => {
        ;(element as HTMLAudioElement).currentTime = 350
      })
      await expect.poll(() => player.evaluate((element) => (element as HTMLAudioElement).readyState)).toBeGreaterThan(1)
      expect(await player.evaluate((element) => (element as HTMLAudioElement).currentTime)).toBeGreaterThanOrEqual(350)
      expect(ranges.some((range) => Number(/bytes=(\d+)/.exec(range)?.[1]) > 20_000_000)).toBe(true)
      await expect(page.getByText(w.preview.streamed)).toBeVisible()
    })

    test('previews an encrypted text with the right passphrase only', { tag: '@long' }, async ({
      page,
      user,
      at,
      w,
    }) => {
      const { search } = await share(user, 'secret.txt', Buffer.from('the tide turns at noon'), {
        passphrase: 'correct horse',
      })
      await page.goto(at(`/preview${search}`))
      await page.getByLabel(w.preview.passphrase, { exact: true }).fill('wrong horse')
      await page.getByRole('button', { name: w.preview.decrypt }).click()
      await expect(page.locator('[aria-invalid=true]')).toBeVisible()
      await page.getByLabel(w.preview.passphrase, { exact: true }).fill('correct horse')
      await page.getByRole('button', { name: w.preview.decrypt }).click()
      await expect(page.getByText('the tide turns at noon')).toBeVisible()
    })

    test('shows no preview for unsupported types and unknown files', async ({ page, user, at, w }) => {
      const { search } = await share(user, 'program.xyz', randomBytes(3000))
      await page.goto(at(`/preview${search}`))
      await expect(page.getByText(w.preview.none)).toBeVisible()
      await page.goto(at('/preview'))
      await expect(page.getByText(w.preview.missing)).toBeVisible()
      await page.goto(at(`/preview?cid=bafkreigone&address=${user.uid}`))
      await expect(page.getByRole('heading', { name: w.shares.states.gone })).toBeVisible()
      const { search: locked } = await share(user, 'locked.txt', randomBytes(10), { terms: { short_pass: 'Ebb123' } })
      await page.goto(at(`/preview${locked}`))
      await expect(page.getByRole('heading', { name: w.shares.password.title })).toBeVisible()
    })
  })
