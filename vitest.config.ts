import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// unit: no network, no database, seconds. routes: the real app over a real PostgreSQL; attacks: the same, against it.
// network: whole networks of processes.
const node = { environment: 'node' as const, testTimeout: 20_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    // Files mostly wait, for a database or for processes: every core has one.
    maxWorkers: Math.min(4, availableParallelism()),
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.ts',
            'tools/**/*.test.ts',
            'test/spec/**/*.test.ts',
          ],
          exclude: ['**/*.routes.test.ts', '**/*.cluster.test.ts', '**/dist/**', '**/node_modules/**'],
        },
      },
      {
        test: {
          ...node,
          name: 'routes',
          // Every file has a world of its own: reading the server anew for each would take longer than its tests.
          isolate: false,
          // Many databases at once on a machine that others load: slow is not wrong.
          testTimeout: 60_000,
          include: ['apps/*/src/**/*.routes.test.ts', 'tools/**/*.routes.test.ts'],
          exclude: ['**/dist/**', '**/node_modules/**'],
          globalSetup: ['test/database.ts'],
        },
      },
      {
        // Container engines and Kubernetes, where there is one.
        test: {
          ...node,
          name: 'clusters',
          include: ['apps/server/src/**/*.cluster.test.ts'],
          globalSetup: ['test/database.ts'],
          fileParallelism: false,
          retry: 1,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          exclude: ['**/dist/**', '**/node_modules/**'],
        },
      },
      {
        test: {
          ...node,
          name: 'attacks',
          isolate: false,
          // They are not tried again: the thousands at the same moment may take minutes on a machine that others load.
          testTimeout: 240_000,
          include: ['test/attacks/**/*.test.ts'],
          // A race that lets a second one through once in a while is a hole: what fails once has failed.
          retry: 0,
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
        },
      },
    ],
  },
})
