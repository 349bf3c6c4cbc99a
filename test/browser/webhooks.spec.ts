import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { texts as en } from '../../apps/web/src/features/webhooks/texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/webhooks/texts.zh.ts'
import { verifyWebhook } from '../../packages/sdk/src/webhook.ts'
import { accessibilityViolations, expect, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? zh : en

    test('creates a webhook, shows its secret once, tests it, and explains why it is disabled', async ({
      page,
      user,
      signIn,
      at,
    }) => {
      const received: { headers: Record<string, string>; body: string }[] = []
      let status = 204
      const server = createServer(async (request, response) => {
        const body = Buffer.concat(await request.toArray()).toString()
        received.push({ headers: request.headers as Record<string, string>, body })
        response.writeHead(status).end('answer of the receiver')
      })
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`

      await signIn(page, user)
      await page.goto(at('/webhooks'))
      await page.getByRole('button', { name: w.create }).click()
      const dialog = page.getByRole('dialog')
      const submit = dialog.getByRole('button', { name: w.create })
      await submit.click()
      await expect(dialog.locator('[aria-invalid=true]').first()).toBeVisible()
      await dialog.getByLabel(w.name, { exact: true }).fill('接收 hook')
      await dialog.getByLabel(w.url, { exact: true }).fill(url)
      expect(await accessibilityViolations(page)).toEqual([])
      await submit.click()
      const secret =
        (await dialog
          .getByText(/^whsec_/)
          .first()
          .textContent()) ?? ''
      await dialog.getByRole('button', { name: w.kept }).click()
      await expect(page.getByText(secret)).toBeHidden()

      await page.getByRole('button', { name: w.testOf('接收 hook') }).click()
      await expect(page.getByRole('status').filter({ hasText: '204' })).toBeVisible()
      const [first] = received
      expect((await verifyWebhook(secret, first?.headers ?? {}, first?.body ?? '')).type).toBe('test.ping')

      status = 410
      await page.getByRole('button', { name: w.testOf('接收 hook') }).click()
      await expect(page.getByRole('alert').filter({ hasText: '410' })).toBeVisible()
      await page.getByRole('button', { name: w.showOf('接收 hook') }).click()
      await page.getByText(w.answer, { exact: true }).first().click()
      await expect(page.getByText('answer of the receiver').first()).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      await page.getByRole('button', { name: w.disableOf('接收 hook') }).click()
      await expect(page.getByText(w.disabledBy.owner)).toBeVisible()
      await page.getByRole('button', { name: w.removeOf('接收 hook') }).click()
      await dialog.getByRole('button', { name: w.remove }).click()
      await expect(page.getByText(w.emptyTitle)).toBeVisible()
      server.closeAllConnections()
      server.close()
    })
  })
