// 500 nodes and a public CA with its limits, on a simulated clock: every first certificate, and all renewals of a period. Counts, not times.
import {
  createChallenges,
  createMemoryStore,
  createRequestedCertificates,
  PUBLIC_CA_QUOTAS,
} from '@tidenet/certificates'
import { createClock, createLogger } from '@tidenet/daemon'
import { loadFixture } from '../tools/load-fixture.mjs'
import { report } from './measure.mjs'

const { startTestCa } = await loadFixture('packages/certificates/src/test-ca.fixture.ts')
const { createRequest } = await loadFixture('packages/certificates/src/test-certificates.fixture.ts')

const NODES = 500
const ZONE = 'nodes.example.net'
const LANES = 32
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
const DAYS = 90
/** Nodes ask every minute whether it is time. */
const STEP_MS = 600_000

const clock = createClock()
const move = (ms) => clock.move(clock.now() - Date.now() + ms)
const ca = await startTestCa(clock, { days: DAYS })
const store = createMemoryStore()
const certificates = createRequestedCertificates({
  authorities: [{ directory: ca.directory }],
  store,
  challenges: createChallenges(store, clock, { cacheMs: 0 }),
  zones: [ZONE],
  quotas: { ...PUBLIC_CA_QUOTAS, share: PUBLIC_CA_QUOTAS.orders },
  clock,
  log: createLogger('bench', 'silent'),
})
const nodes = await Promise.all(
  Array.from({ length: NODES }, async (_, index) => {
    const name = `*.d${index}.${ZONE}`
    return { name, csr: (await createRequest(name)).csr, certificate: undefined, renewal: undefined, due: 0 }
  }),
)

/** Orders for those whose turn it is, until the CA's limits stop it. */
async function orderFor(list) {
  const next = list.values()
  let isFull = false
  const lane = async () => {
    for (const node of next) {
      if (isFull) return
      const replaces = node.certificate && { ...node.certificate, renewal: node.renewal }
      const request = { name: node.name, csr: node.csr, ...(replaces && { replaces }) }
      const outcome = await certificates.order(request, async (issued) => {
        node.certificate = issued
        node.renewal = undefined
      })
      isFull ||= outcome.state === 'failed' && outcome.isForAll
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

try {
  // First certificates: as many weeks as the limit of one registered domain makes of it.
  let weeks = 0
  for (let left = nodes; left.length > 0; left = nodes.filter(({ certificate }) => !certificate)) {
    await orderFor(left)
    move(WEEK_MS + HOUR_MS)
    weeks++
  }
  const least = NODES / PUBLIC_CA_QUOTAS.perDomain.most
  report(`first certificates of ${NODES} nodes, weeks`, {
    measured: weeks,
    against: `${least} weeks at ${PUBLIC_CA_QUOTAS.perDomain.most} a week`,
    unit: 'weeks',
    value: weeks / least,
    goal: { below: 1.05 },
  })

  // The CA suggests two days for all at once, as it would if it had to revoke all of them.
  const before = ca.issued.length
  const start = clock.now()
  ca.suggests = { start, end: start + 2 * DAY_MS }
  for (const node of nodes) {
    node.renewal = await certificates.suggest(node.certificate, undefined)
    node.due = node.renewal.at
  }
  while (clock.now() < start + 2 * DAY_MS) {
    move(STEP_MS)
    const due = nodes.filter(({ due: at }) => at <= clock.now())
    await orderFor(due)
    for (const node of due) if (!node.renewal) node.due = Number.POSITIVE_INFINITY
  }
  const renewed = ca.issued.slice(before)
  const counted = renewed.filter(({ isExempt }) => !isExempt).length
  console.log(`${renewed.length} of ${NODES} renewed in two days, ${counted} of them counted by the CA`)
  report(`renewals of ${NODES} nodes within a public CA's limits`, {
    measured: renewed.length,
    against: `${NODES} nodes, ${ca.violations.length} requests beyond a limit`,
    unit: 'certificates',
    value: ca.violations.length > 0 ? 0 : (renewed.length - counted) / NODES,
    goal: { atLeast: 0.98 },
  })
} finally {
  certificates.stop()
  await ca.close()
}
