import { defineConfig } from '@playwright/test'

// The pages run against a whole network, which test/browser/network.ts starts; its address is in TIDENET_URL.
export default defineConfig({
  testDir: 'test/browser',
  globalSetup: './test/browser/network.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  // They wait more than they work.
  workers: 3,
  // A browser on a machine that others load: what fails twice is wrong, what passes only then is told as a defect at the end.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    ...(process.env.TIDENET_URL ? { baseURL: process.env.TIDENET_URL } : {}),
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.TIDENET_CHROMIUM ?? '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
