import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

// unit: no network and no database. routes: the server in this process, with a real PostgreSQL.
// network: complete networks of processes. speech: a real speech engine. kubo: real Kubo nodes. s3: clients of S3 that people use. acme: a real CA for tests. wasmd: a real chain. executables: programs as people download them. nat: devices behind routers. clusters: container engines and Kubernetes.
// Generous timeouts for slow CI machines.
const node = { environment: 'node' as const, testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    tags: [{ name: 'long', description: 'Only `npm run test:long` runs it.' }],
    // Test files mostly wait for a database or for processes.
    maxWorkers: Math.min(4, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          // Loading the modules again for each file would take a third of the time.
          isolate: false,
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.ts',
            'tools/**/*.test.ts',
            'test/spec/**/*.test.ts',
            'test/receipts/**/*.test.ts',
          ],
          exclude: [
            '**/*.routes.test.ts',
            '**/*.cluster.test.ts',
            '**/*.isolated.test.ts',
            '**/dist/**',
            '**/node_modules/**',
          ],
        },
      },
      {
        // Unit tests that mock modules, which other files must not see.
        test: {
          ...node,
          name: 'isolated',
          include: ['packages/*/src/**/*.isolated.test.ts', 'apps/*/src/**/*.isolated.test.ts'],
          exclude: ['**/dist/**', '**/node_modules/**'],
        },
      },
      {
        test: {
          ...node,
          name: 'routes',
          // Every file has its own TestEnv; loading the server's modules again for each file would take longer than its tests.
          isolate: false,
          include: [
            'apps/*/src/**/*.routes.test.ts',
            'tools/**/*.routes.test.ts',
            'test/attacks/**/*.test.ts',
            'test/hostile/**/*.test.ts',
          ],
          // Generous timeout: thousands of concurrent calls can take minutes on a slow CI machine.
          testTimeout: 240_000,
          exclude: ['**/dist/**', '**/node_modules/**'],
          globalSetup: ['test/database.ts'],
        },
      },
      {
        test: {
          ...node,
          name: 'clusters',
          // As for routes.
          isolate: false,
          include: ['apps/server/src/**/*.cluster.test.ts', 'test/clusters/**/*.cluster.test.ts'],
          globalSetup: ['test/database.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          exclude: ['**/dist/**', '**/node_modules/**'],
        },
      },
      {
        // With a real speech engine, only in `npm run test:long`.
        test: {
          ...node,
          name: 'speech',
          globalSetup: ['test/database.ts'],
          include: ['test/speech/**/*.test.ts'],
        },
      },
      {
        // With Kubo nodes, only in `npm run test:long`.
        test: {
          ...node,
          name: 'kubo',
          globalSetup: ['test/database.ts', 'test/programs.ts'],
          include: ['test/kubo/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        // With Pebble, only in `npm run test:long`.
        test: {
          ...node,
          name: 'acme',
          globalSetup: ['test/database.ts'],
          include: ['test/acme/**/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        // With clients of S3 that people use, only in `npm run test:long`.
        test: {
          ...node,
          name: 's3',
          globalSetup: ['test/database.ts', 'test/programs.ts'],
          include: ['test/s3/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Builds the executables of all platforms, only in `npm run test:long`.
        test: {
          ...node,
          name: 'executables',
          globalSetup: ['test/database.ts', 'test/programs.ts'],
          include: ['test/executables/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        // In network namespaces of its own, only in `npm run test:long`.
        test: {
          ...node,
          name: 'nat',
          globalSetup: ['test/nat/lab.ts', 'test/database.ts', 'test/programs.ts'],
          include: ['test/nat/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        // With three browsers and Python, only in `npm run test:long`.
        test: {
          ...node,
          name: 'clients',
          globalSetup: ['test/database.ts', 'test/programs.ts'],
          include: ['test/clients/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 180_000,
        },
      },
      {
        // With wasmd, only in `npm run test:long`.
        test: {
          ...node,
          name: 'wasmd',
          globalSetup: ['test/database.ts'],
          include: ['test/wasmd/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          ...node,
          name: 'network',
          // As for routes.
          isolate: false,
          globalSetup: ['test/database.ts', 'test/programs.ts'],
          include: ['test/network/**/*.test.ts', 'test/examples/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
