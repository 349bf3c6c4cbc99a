import { join } from 'node:path'
import { createNetwork, type Network, type NetworkOptions } from '@tidenet/testnet'

/** A bundled program; see `test/programs.ts`. */
export const bundled = (name: 'server' | 'node' | 'cli') => join(process.env.TIDENET_TEST_PROGRAMS ?? '', `${name}.mjs`)

/** For `createNetwork`. */
export const bundledPrograms = () => ({ server: bundled('server'), node: bundled('node') })

/**
 * Starts a network of bundled programs with a migrated database on the PostgreSQL of all tests; DATABASE_URL names another one.
 * Tests of databases and of starting use `createNetwork` instead.
 */
export function startNetwork(options: NetworkOptions = {}): Promise<Network> {
  const { TIDENET_TEST_DATABASE: databaseUrl, TIDENET_TEST_TEMPLATE: databaseTemplate } = process.env
  if (!databaseUrl || !databaseTemplate) throw new Error('The set-up of the project `network` has not run.')
  return createNetwork({
    databaseUrl,
    databaseTemplate,
    programs: bundledPrograms(),
    ...options,
  })
}
