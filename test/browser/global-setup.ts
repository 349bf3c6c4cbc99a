import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNetwork, seedPeople } from '@tidenet/testnet'
import {
  CLIENT_SECRET,
  clientOf,
  githubService,
  openidService,
} from '../../apps/server/src/identity/external-sign-in/test-services.fixture.ts'
import { buildFixture } from '../../tools/load-fixture.mjs'
import { writeSampleExecutables } from './sample-executables.ts'
import { startSpeechEngine } from './speech-engine.ts'

/**
 * Starts the network for the browser tests, with seeded accounts. Tests find it in the environment: TIDENET_URL the
 * portal, TIDENET_BROWSER_DATA its data folder, TIDENET_BROWSER_DATABASE its database, TIDENET_BROWSER_PEOPLE the accounts
 * (JSON of `SeededPerson[]`). At services.localhost the portal is its services variant. Two external sign-in services accept
 * everyone, a third one never answers. One of the two regions sells containers, on a simulated cluster. The operator has a
 * Telegram channel. A stand-in for a speech engine answers at TIDENET_BROWSER_SPEECH, one for the partner of the points exchange at
 * TIDENET_BROWSER_PARTNER, with the key in the file TIDENET_BROWSER_PARTNER_KEY.
 * It offers small files as executables, signed like those of `npm run executables`.
 * With TIDENET_URL set, the tests use that running network.
 */
export default async function startTestNetwork(): Promise<() => Promise<void>> {
  if (process.env.TIDENET_URL) return async () => {}
  const [harbour, github, speech] = await Promise.all([openidService('harbour'), githubService(), startSpeechEngine()])
  const providers = [
    { ...clientOf('harbour', '', harbour), name: { en: 'Harbour', zh: '海港' } },
    clientOf('github', 'GitHub', github, 'github'),
    clientOf('closed', 'Closed Bay', { url: 'http://127.0.0.1:9' }),
  ]
  const driver = await buildFixture('apps/server/src/compute/clusters/sample-driver.fixture.ts')
  const executables = writeSampleExecutables(mkdtempSync(join(tmpdir(), 'tidenet-executables-')))
  const network = await createNetwork({
    mode: 'development',
    env: {
      TIDENET_SERVICES_HOST: 'services.localhost',
      TIDENET_EXECUTABLES: executables,
      // Addresses of programs are shown; nothing listens there, as nothing does in the containers of the stand-in.
      TIDENET_INGRESS_URL: 'https://programs.localhost:8070',
      // So that domains can be added; no server of this network orders certificates.
      TIDENET_INGRESS_ACME: 'https://127.0.0.1:9/directory',
      TIDENET_INGRESS_ADDRESSES: '127.0.0.1',
      // Enough for every test to run three times within an hour.
      TIDENET_FAUCET_HOURLY: '100000',
      TIDENET_SIGN_IN_PROVIDERS: JSON.stringify(providers),
      // Shown; test/network/ipfs.test.ts tests the gateway itself.
      TIDENET_IPFS_URL: 'https://ipfs.tidenet.example',
      TIDENET_TELEGRAM_URL: 'https://chat.tidenet.example/tide',
      TEST_CLIENT_SECRET: CLIENT_SECRET,
      TIDENET_SPEECH_URL: speech.url,
      TIDENET_SPEECH_NAME: 'Test engine',
      // Simulated third-party replicas take some seconds.
      TIDENET_THIRD_PARTY_HOURS: '0.003',
      NODE_OPTIONS: `--import ${new URL(`sample-cluster.mjs?driver=${driver}`, import.meta.url).href}`,
    },
    // Faster blocks, so that tests wait less.
    chain: { blockMs: 500 },
    partner: true,
    databaseSettings: { fsync: 'off', full_page_writes: 'off' },
  })
  const stop = async () => {
    await network.stop()
    rmSync(executables, { recursive: true, force: true })
    await Promise.all([harbour.stop(), github.stop(), speech.stop()])
  }
  process.env.TIDENET_URL = network.url
  process.env.TIDENET_BROWSER_SPEECH = speech.url
  process.env.TIDENET_BROWSER_DATA = network.data
  process.env.TIDENET_BROWSER_DATABASE = network.databaseUrl
  process.env.TIDENET_BROWSER_PARTNER = network.partner?.url
  process.env.TIDENET_BROWSER_PARTNER_KEY = network.partner?.keyFile
  const people = await seedPeople(network.url, network.databaseUrl, network.data).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  process.env.TIDENET_BROWSER_PEOPLE = JSON.stringify(people)
  return stop
}
