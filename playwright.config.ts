import { defineConfig } from '@playwright/test'

// The tests run against a complete network that test/browser/global-setup.ts starts; TIDENET_URL is its address.
export default defineConfig({
  testDir: 'test/browser',
  globalSetup: './test/browser/global-setup.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  // One more than cores, because the tests wait for pages.
  workers: 3,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    ...(process.env.TIDENET_URL ? { baseURL: process.env.TIDENET_URL } : {}),
    screenshot: 'only-on-failure',
    // Animations cost a sixth of the CPU time; `npm run test:long` tests with them.
    contextOptions: { reducedMotion: process.env.TIDENET_TEST_VIEWS === 'all' ? 'no-preference' : 'reduce' },
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
