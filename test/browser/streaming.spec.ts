import type { Page } from '@playwright/test'
import { share, sound, test } from './share-helpers.ts'
import { expect, viewsFor } from './test-env.ts'
import { film } from './webm-video.ts'

/** Media requests of a page to nodes: the start of each range, and the bytes received. */
async function watched(page: Page): Promise<{ starts: number[]; bytes: () => number }> {
  const starts: number[] = []
  const media = new Set<string>()
  let bytes = 0
  const browser = await page.context().newCDPSession(page)
  await browser.send('Network.enable')
  browser.on('Network.requestWillBeSent', ({ type, requestId, request }) => {
    if (type === 'Media' && request.url.startsWith('http')) media.add(requestId)
  })
  browser.on('Network.dataReceived', ({ requestId, dataLength }) => {
    if (media.has(requestId)) bytes += dataLength
  })
  page.on('request', (request) => {
    const [, start] = /^bytes=(\d+)-/.exec(request.headers().range ?? '') ?? []
    if (request.resourceType() === 'media' && request.url().startsWith('http') && start) starts.push(Number(start))
  })
  return { starts, bytes: () => bytes }
}

const player = (page: Page) => page.locator('video, audio')
const look = <T>(page: Page, what: (element: HTMLMediaElement) => T) =>
  player(page).evaluate(what as (element: Element) => T)

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })

    for (const [kind, name, make] of [
      ['a film', 'tide.webm', (page: Page) => film(page, 200)],
      ['a sound', 'tide.wav', async () => sound(200)],
    ] as const)
      test(`${kind} plays from the middle by range requests, before the rest is loaded`, {
        tag: kind === 'a film' ? [] : '@long',
      }, async ({ page, user, at, w }) => {
        const bytes = await make(page)
        const { search } = await share(user, name, bytes)
        const { starts, bytes: received } = await watched(page)
        await page.goto(at(`/preview${search}`))
        await expect.poll(() => look(page, ({ readyState }) => readyState)).toBeGreaterThan(0)
        const duration = await look(page, (element) => element.duration)
        expect(duration).toBeCloseTo(200, 0)
        const place = Math.floor(duration * 0.7)
        await player(page).evaluate((element, time) => {
          ;(element as HTMLMediaElement).muted = true
          ;(element as HTMLMediaElement).currentTime = time
        }, place)
        await expect
          .poll(() => look(page, ({ seeking, readyState }) => !seeking && readyState >= 2), { timeout: 20_000 })
          .toBe(true)
        expect(await look(page, ({ currentTime }) => currentTime)).toBeCloseTo(place, 0)
        await look(page, (element) => element.play())
        await expect.poll(() => look(page, ({ currentTime }) => currentTime)).toBeGreaterThan(place + 0.5)

        expect(starts.some((start) => start > bytes.length * 0.4 && start < bytes.length * 0.75)).toBe(true)
        expect(received()).toBeGreaterThan(0)
        expect(received()).toBeLessThan(bytes.length * 0.8)
        await expect(page.getByText(w.preview.streamed)).toBeVisible()
      })

    test('downloads and verifies a short sound before playing', { tag: '@long' }, async ({ page, user, at, w }) => {
      const { search } = await share(user, 'short.wav', sound(2))
      await page.goto(at(`/preview${search}`))
      await expect(page.getByText(w.preview.verified)).toBeVisible()
      await expect.poll(() => look(page, (element) => element.duration)).toBeCloseTo(2, 1)
    })

    test('rejects a file that is not a video despite its type', { tag: '@long' }, async ({ page, user, at, w }) => {
      const { search } = await share(user, 'no.webm', Buffer.alloc(5 << 20, 'tide'))
      await page.goto(at(`/preview${search}`))
      await expect(page.getByText(w.preview.media.broken)).toBeVisible()
    })
  })
