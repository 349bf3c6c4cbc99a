import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type BrowserContext, chromium, expect, type Page } from '@playwright/test'
import { textsFor } from '../../apps/extension/src/texts.ts'
import { extensionFolder, packExtension } from '../../tools/pack-extension.mjs'
import { createUser, data, test as plain } from './test-env.ts'

/** The headless shell has no extensions. */
const CHROMIUM = '/usr/bin/chromium'

/** A browser with the packed extension, and its popup as a page. */
const test = plain.extend<{ popup: Page; installed: BrowserContext }>({
  installed: async ({ browserName: _ }, use) => {
    plain.skip(!existsSync(CHROMIUM), 'needs the package chromium')
    const folder = mkdtempSync(join(tmpdir(), 'tidenet-extension-'))
    const archive = await packExtension(extensionFolder)
    execFileSync('python3', ['-m', 'zipfile', '-e', archive, join(folder, 'unpacked')])
    const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: CHROMIUM,
      headless: false,
      args: [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        `--disable-extensions-except=${join(folder, 'unpacked')}`,
        `--load-extension=${join(folder, 'unpacked')}`,
      ],
      locale: 'en-US',
      viewport: { width: 384, height: 560 },
    })
    await use(context)
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  },
  popup: async ({ installed }, use) => {
    const page = await installed.newPage()
    await page.goto(`chrome-extension://${await idOf(installed)}/popup.html`)
    await use(page)
  },
})

/** As the browser lists it. */
async function idOf(context: BrowserContext): Promise<string> {
  const page = await context.newPage()
  await page.goto('chrome://extensions')
  const id = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const { developerPrivate } = (
          globalThis as unknown as {
            chrome: {
              developerPrivate: {
                getExtensionsInfo(options: object, then: (list: { id: string; name: string }[]) => void): void
              }
            }
          }
        ).chrome
        developerPrivate.getExtensionsInfo({}, (list) =>
          resolve(list.find(({ name }) => name.startsWith('Tidenet'))?.id ?? ''),
        )
      }),
  )
  await page.close()
  expect(id).not.toBe('')
  return id
}

const t = textsFor('en')
const keyOf = async (token: string, perms: string[]): Promise<string> =>
  (
    await data<{ key: string }>(
      'apiKeys.create',
      { key_name: 'extension', type: 'normal', perms: perms.join(',') },
      token,
    )
  ).key

async function connect(popup: Page, portal: string, key: string) {
  await popup.getByLabel(t.portal).fill(portal)
  await popup.getByLabel(t.key).fill(key)
  await popup.getByRole('button', { name: t.connect }).click()
}

test('the extension shows devices and earnings with a key that can do nothing else, until it is disconnected', async ({
  popup,
  at,
}) => {
  const user = await createUser()
  const key = await keyOf(user.token, ['readDevices'])
  expect((await new AxeBuilder({ page: popup }).analyze()).violations).toEqual([])
  await connect(popup, at('/'), key)
  await expect(popup.getByRole('heading', { name: t.devices(0) })).toBeVisible()
  await expect(popup.getByText(t.none)).toBeVisible()
  await expect(popup.getByText(t.points('0')).first()).toBeVisible()
  await popup.reload()
  await expect(popup.getByText(t.none)).toBeVisible()
  await popup.getByRole('button', { name: t.disconnect }).click()
  await popup.reload()
  await expect(popup.getByLabel(t.key)).toHaveValue('')
})

test('it says why a key or an address is not accepted, and keeps neither', async ({ popup, at }) => {
  const user = await createUser()
  const key = await keyOf(user.token, ['readFile'])
  await connect(popup, 'http://portal.example', 'x')
  await expect(popup.getByRole('alert')).toHaveText(t.problems.address)
  await connect(popup, at('/'), 'not a key')
  await expect(popup.getByRole('alert')).toHaveText(t.problems.refused)
  await connect(popup, at('/'), key)
  await expect(popup.getByRole('alert')).toHaveText(t.problems.permission)
  await popup.reload()
  await expect(popup.getByLabel(t.portal)).toHaveValue('')
})
