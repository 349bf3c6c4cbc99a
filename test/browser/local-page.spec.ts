import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { en, zh } from '../../apps/node/src/local/texts.ts'
import { accessibilityViolations, test as base, expect } from './test-env.ts'

// The page that a node serves to its owner on the same machine.

const PROGRAM = fileURLToPath(new URL('../../apps/node/dist/main.js', import.meta.url))

/** The folder of a node that runs; it stops with the test. */
const test = base.extend<{ data: string; d: typeof en; openPage: () => Promise<string> }>({
  d: async ({ view }, use) => use(view.lang === 'zh' ? zh : en),
  data: async ({ at }, use) => {
    const data = mkdtempSync(join(tmpdir(), 'tidenet-page-'))
    const words = `--server ${at('')} --data ${data} --area Europe-Germany-Hesse-Frankfurt --capacity 1B`
    const node: ChildProcess = spawn(process.execPath, [PROGRAM, ...words.split(' ')], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const ended = once(node, 'exit')
    const kill = () => void node.kill('SIGKILL')
    process.on('exit', kill)
    await once(node, 'message')
    await use(data)
    process.off('exit', kill)
    kill()
    await ended
    rmSync(data, { recursive: true, force: true })
  },
  openPage: async ({ data }, use) =>
    use(async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, 'open', '--print', '--data', data])
      return /http:\S+/.exec(stdout)?.[0] ?? ''
    }),
})

test('an owner opens the page, sets limits, pauses and continues', async ({ page, d, view, expected, openPage }) => {
  // A limit that is refused.
  expected.push(/400 \(Bad Request\)/)
  await page.addInitScript((lang) => localStorage.setItem('lang', lang), view.lang === 'zh' ? 'zh' : 'en')
  await page.goto(await openPage())
  await expect(page.getByRole('heading', { name: d.title })).toBeVisible()
  await expect(page.getByText(d.states.online)).toBeVisible()
  expect(page.url()).not.toContain('#')

  await page.getByLabel(d.space).fill('5')
  await page.getByLabel(d.monthly).fill('200')
  await page.locator('.rate').last().getByRole('spinbutton').last().fill('20')
  await page.getByRole('button', { name: d.save }).click()
  await expect(page.getByText(d.saved)).toBeVisible()
  await page.reload()
  await expect(page.getByLabel(d.space)).toHaveValue('5')
  await expect(page.locator('.rate')).toHaveCount(2)
  await page.locator('.rate').first().getByRole('spinbutton').last().fill('0.1')
  await page.getByRole('button', { name: d.save }).click()
  await expect(page.getByText(d.errors.rate)).toBeVisible()

  await page.getByRole('button', { name: d.pause }).click()
  await expect(page.getByText(d.states.paused)).toBeVisible()
  await page.getByRole('button', { name: d.resume }).click()
  await expect(page.getByText(d.states.online)).toBeVisible()

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await accessibilityViolations(page)).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
})

test('whoever has only the address sees how to open it', async ({ page, data, expected, openPage }) => {
  expected.push(/401 \(Unauthorized\)/)
  const { origin } = new URL(await openPage())
  await page.goto(origin)
  await expect(page.getByText('tidenet-node open')).toBeVisible()
  await expect(page.locator('#forms')).toHaveCount(0)
  expect(data).toBeTruthy()
})
