import { defineConfig } from 'vitest/config'

// unit: no network, no database, seconds. routes: the real app over a real PostgreSQL. network: whole networks of processes.
const node = { environment: 'node' as const, testTimeout: 20_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['**/*.routes.test.ts', '**/dist/**', '**/node_modules/**'],
        },
      },
      {
        test: {
          ...node,
          name: 'routes',
          // Many databases at once on a machine that others load: slow is not wrong.
          testTimeout: 60_000,
          include: ['apps/*/src/**/*.routes.test.ts', 'test/attacks/**/*.test.ts'],
          retry: 1,
          exclude: ['**/dist/**', '**/node_modules/**'],
          globalSetup: ['test/database.ts'],
        },
      },
      {
        test: {
          ...node,
          name: 'network',
          include: ['test/network/**/*.test.ts', 'test/examples/**/*.test.ts'],
          testTimeout: 180_000,
          // Whole networks of processes on a machine that others load: what fails twice is wrong.
          retry: 1,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
