import type { Page } from '@playwright/test'
import { film } from './film.ts'
import { share, sound, test } from './share-world.ts'
import { expect, journeys } from './world.ts'

/** What a page asks of nodes for films and sounds: where each range began, and how many bytes have come. */
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

for (const view of journeys('narrow'))
  test.describe(view.name, () => {
    test.use({ view })

    for (const [kind, name, make] of [
      ['a film', 'tide.webm', (page: Page) => film(page, 200)],
      ['a sound', 'tide.wav', async () => sound(200)],
    ] as const)
      test(`${kind} plays from its middle before the rest is here, by the ranges of that place`, async ({
        page,
        person,
        at,
        w,
      }) => {
        const bytes = await make(page)
        const { search } = await share(person, name, bytes)
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
        await expect(page.getByText(new RegExp(w.preview.streamed('@').split('@')[0] ?? ''))).toBeVisible()
      })

    test('a short sound is fetched and checked first', async ({ page, person, at, w }) => {
      const { search } = await share(person, 'short.wav', sound(2))
      await page.goto(at(`/preview${search}`))
      await expect(page.getByText(w.preview.verified)).toBeVisible()
      await expect.poll(() => look(page, (element) => element.duration)).toBeCloseTo(2, 1)
    })

    test('refused is what is called a film and is none', async ({ page, person, at, w }) => {
      const { search } = await share(person, 'no.webm', Buffer.alloc(5 << 20, 'tide'))
      await page.goto(at(`/preview${search}`))
      await expect(page.getByText(w.preview.media.broken)).toBeVisible()
    })
  })
