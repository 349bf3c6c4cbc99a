import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createStorage } from '@tidenet/storage'
import { sound, test } from './share-helpers.ts'
import { accessibilityViolations, countClicks, expect, overflows, type TestUser, viewsFor } from './test-env.ts'

async function store(user: TestUser, name: string, bytes: Uint8Array, passphrase?: string): Promise<string> {
  const storage = createStorage({ url: process.env.TIDENET_URL ?? '', token: user.token, lang: 'en' })
  const { code, msg, data } = await storage.uploadAsset(new File([new Uint8Array(bytes)], name), {
    ...(passphrase && { encrypt: { passphrase, workFactor: 10 } }),
  })
  if (code !== 0) throw new Error(`${name}: ${msg}`)
  return (data as { cid: string }).cid
}

/** A JPEG of 60 × 20 px that is to be turned by a quarter. */
async function turnedPicture(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 60
    canvas.height = 20
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
  })
  const jpeg = Buffer.from(base64, 'base64')
  const exif = Buffer.from('ffe100224578696600004d4d002a00000008000101120003000000010006000000000000', 'hex')
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
}

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })

    test(
      'previews own files in place, one after the other',
      { tag: '@long' },
      async ({ page, user, signIn, at, w }, info) => {
        const p = w.preview
        await signIn(page, user)
        const folder = info.outputPath('box')
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, '潮 tide.txt'), 'tide')
        const tar = execFileSync('tar', ['-czf', '-', '-C', folder, '.'])
        const markdown =
          '# Tides\n\n<script>document.title="taken"</script>\n\n[bad](javascript:alert(1)) [good](https://example.org/)\n\n```js\nconst a = 1\n```\n'
        await store(user, '1.jpg', await turnedPicture(page))
        await store(user, '2.md', Buffer.from(markdown))
        await store(user, '3.tar.gz', tar)
        await store(user, '4.js', Buffer.from('const tide = "in"\n// <b>comment</b>\n'))
        await store(user, '5.xyz', Buffer.alloc(5 << 20, 1))
        const first = await store(user, '6.wav', sound(60), 'correct horse')
        await store(user, '7.txt', Buffer.from('the tide turns at noon'), 'correct horse')

        await page.goto(at('/fileStorage?sort=name&direction=asc'))
        const clicks = await countClicks(page)
        await page.getByRole('button', { name: '1.jpg', exact: true }).click()
        const overlay = page.getByRole('dialog')
        const shown = (name: string) => expect(page.getByRole('dialog', { name })).toBeVisible()
        await shown('1.jpg')
        await expect(page).toHaveURL(/[?&]preview=/)
        const picture = overlay.getByRole('img', { name: '1.jpg' })
        await expect
          .poll(() =>
            picture.evaluate((image) => [
              (image as HTMLImageElement).naturalWidth,
              (image as HTMLImageElement).naturalHeight,
            ]),
          )
          .toEqual([20, 60])
        await expect(overlay.getByText(p.verified)).toBeVisible()
        expect(await clicks()).toBe(1)
        await expect(overlay.getByRole('button', { name: p.browse.previous })).toBeDisabled()
        await page.keyboard.press('+')
        await expect(overlay.getByText('150 %')).toBeVisible()
        await page.keyboard.press('0')
        expect(await accessibilityViolations(page)).toEqual([])
        expect(await overflows(page)).toBe(false)

        await page.keyboard.press('ArrowRight')
        await shown('2.md')
        await expect(overlay.getByRole('heading', { name: 'Tides' })).toBeVisible()
        await expect(overlay.getByText('<script>')).toBeVisible()
        await expect(overlay.getByRole('link')).toHaveCount(1)
        await expect(page).not.toHaveTitle('taken')

        await overlay.getByRole('button', { name: p.browse.next }).click()
        await shown('3.tar.gz')
        await expect(overlay.getByText('潮 tide.txt')).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])

        await page.keyboard.press('ArrowRight')
        await shown('4.js')
        await expect(overlay.getByText('const', { exact: true })).toHaveClass(/accent/)
        await expect(overlay.getByText('// <b>comment</b>')).toBeVisible()

        await page.keyboard.press('ArrowRight')
        await shown('5.xyz')
        await expect(overlay.getByText(p.none)).toBeVisible()

        // An encrypted recording streams, and the passphrase is asked for once.
        await page.keyboard.press('ArrowRight')
        await shown('6.wav')
        await overlay.getByLabel(p.passphrase, { exact: true }).fill('wrong horse')
        await overlay.getByRole('button', { name: p.decrypt }).click()
        await expect(overlay.getByText(p.wrongPassphrase)).toBeVisible()
        await overlay.getByLabel(p.passphrase, { exact: true }).fill('correct horse')
        await overlay.getByRole('button', { name: p.decrypt }).click()
        const player = overlay.locator('audio')
        await expect.poll(() => player.evaluate((element) => (element as HTMLAudioElement).duration)).toBeCloseTo(60, 0)
        await expect(overlay.getByText(p.streamed)).toBeVisible()
        await player.evaluate((element) => {
          ;(element as HTMLAudioElement).currentTime = 50
        })
        await expect.poll(() => player.evaluate((element) => (element as HTMLAudioElement).seeking)).toBe(false)
        await overlay.getByRole('button', { name: p.browse.next }).click()
        await shown('7.txt')
        await expect(overlay.getByText('the tide turns at noon')).toBeVisible()
        await expect(overlay.getByRole('button', { name: p.browse.next })).toBeDisabled()

        // The address stays, so that a reload shows the same file, and going back closes it.
        await page.keyboard.press('ArrowLeft')
        await shown('6.wav')
        expect(page.url()).toContain(first)
        await page.reload()
        await shown('6.wav')
        await page.keyboard.press('Escape')
        await expect(overlay).toHaveCount(0)
        await expect(page).not.toHaveURL(/preview=/)
        await page.getByRole('button', { name: '4.js', exact: true }).press('Enter')
        await shown('4.js')
        await page.goBack()
        await expect(overlay).toHaveCount(0)
        await page.getByRole('row', { name: /4\.js/ }).locator('[data-preview]').click()
        await shown('4.js')
      },
    )
  })
