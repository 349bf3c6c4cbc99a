import { createNetwork, seedPeople } from '@tidenet/testnet'

/**
 * Starts the network that the pages are tested on, people included. Tests find it in the environment: TIDENET_URL the
 * portal, TIDENET_BROWSER_DATA its data folder, TIDENET_BROWSER_DATABASE its database, TIDENET_BROWSER_PEOPLE who can sign
 * in (JSON of `SeededPerson[]`). Asked for as localhost, the portal is its services variant.
 * With TIDENET_URL set, the tests run on a network that is up already.
 */
export default async function openNetwork(): Promise<() => Promise<void>> {
  if (process.env.TIDENET_URL) return async () => {}
  const network = await createNetwork({
    mode: 'development',
    env: { TIDENET_SERVICES_HOST: 'localhost' },
    databaseSettings: { fsync: 'off', full_page_writes: 'off' },
  })
  process.env.TIDENET_URL = network.url
  process.env.TIDENET_BROWSER_DATA = network.data
  process.env.TIDENET_BROWSER_DATABASE = network.databaseUrl
  const people = await seedPeople(network.url, network.databaseUrl, network.data).catch(async (error: unknown) => {
    await network.stop()
    throw error
  })
  process.env.TIDENET_BROWSER_PEOPLE = JSON.stringify(people)
  return () => network.stop()
}
