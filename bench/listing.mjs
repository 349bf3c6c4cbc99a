// A page of a folder with 100,000 assets: p99, and the influence of depth and of 1,000,000 other assets in the database; and the
// manifest of a small folder in an account with 1,000,000 assets.
import { createNetwork } from '@tidenet/testnet'
import { median, percentile, report, sample, timed } from './measure.mjs'
import { fill, person, query } from './people.mjs'

const FOLDER = 100_000
const OTHERS = 1_000_000
const PAGE = 100
const ROUNDS = 5

async function pages(network, token, numbers) {
  const times = []
  for (const page of numbers) {
    const { ms, result } = await timed(async () =>
      (
        await fetch(`${network.url}/api/v1/storage/get_asset_group_list?parent=0&page=${page}&page_size=${PAGE}`, {
          headers: { jwtauthorization: `Bearer ${token}` },
        })
      ).json(),
    )
    if (result.code !== 0 || result.data.list.length !== PAGE || result.data.total !== FOLDER)
      throw new Error(JSON.stringify(result).slice(0, 300))
    times.push(ms)
  }
  return times
}

const call = async (network, token, path, body) => {
  const answer = await fetch(network.url + path, {
    method: 'POST',
    headers: { jwtauthorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { code, msg, data } = await answer.json()
  if (code !== 0) throw new Error(`${path}: ${msg}`)
  return data
}

/** A folder with the ten newest files. */
async function smallFolder(network, { id, token }) {
  const { group } = await call(network, token, '/api/v1/storage/create_group', { name: 'small', parent: 0 })
  await query(
    network,
    'update assets set folder_id = $2 where id in (select id from assets where user_id = $1 order by id desc limit 10)',
    [id, group.ID],
  )
  return group.ID
}

async function manifests(network, token, folder, count) {
  const times = []
  for (let each = 0; each < count; each++) {
    const { ms, result } = await timed(() =>
      call(network, token, '/api/v1/storage/get_manifest', { assets: [], folders: [folder] }),
    )
    if (result.list.length !== 10) throw new Error(JSON.stringify(result).slice(0, 300))
    times.push(ms)
  }
  return times
}

/** A network with the folder, and with `others` assets of another account. */
async function prepare(others) {
  const network = await createNetwork({ nodes: 0, databaseSettings: { fsync: 'off' } })
  networks.push(network)
  const owner = await person(network)
  await fill(network, owner.id, 0, FOLDER)
  const other = others > 0 ? await person(network) : undefined
  if (other) await fill(network, other.id, FOLDER, others)
  const small = other && (await smallFolder(network, other))
  await query(network, 'vacuum analyze')
  return {
    pages: (numbers) => sample(() => pages(network, owner.token, numbers)),
    manifests: (count) => sample(() => manifests(network, other.token, small, count)),
  }
}

const networks = []
try {
  // Measured in turn, so that a slow minute affects both.
  const alone = await prepare(0)
  const among = await prepare(OTHERS)
  const last = FOLDER / PAGE
  const anywhere = () => Array.from({ length: 300 }, () => 1 + Math.floor(Math.random() * last))
  const rounds = []
  for (let round = 0; round <= ROUNDS; round++) {
    const times = {
      anywhere: await alone.pages(anywhere()),
      first: await alone.pages(Array(300).fill(1)),
      deepest: await alone.pages(Array(300).fill(last - 1)),
      among: await among.pages(anywhere()),
      manifest: await among.manifests(100),
    }
    // The first round is for warm-up.
    if (round === 0) continue
    rounds.push(times)
    console.log(
      `round ${round}, p50 and p99 in ms: ${Object.entries(times)
        .map(([name, list]) => `${name} ${median(list).toFixed(1)} ${percentile(list, 99).toFixed(1)}`)
        .join(', ')}`,
    )
  }
  const over = (of) => median(rounds.map(of))
  const p99 = over(({ among }) => percentile(among, 99))
  report('a page of a folder of 100,000 among 1,100,000, p99', {
    measured: p99.toFixed(1),
    against: 'an absolute bound',
    unit: 'ms',
    value: p99,
    goal: { below: 25 },
  })
  report('its deepest page', {
    measured: over(({ deepest }) => median(deepest)).toFixed(1),
    against: `${over(({ first }) => median(first)).toFixed(1)} of the first page`,
    unit: 'ms',
    value: over(({ first, deepest }) => median(deepest) / median(first)),
    goal: { below: 1.5 },
  })
  report('with 1,000,000 more assets in the database', {
    measured: over(({ among }) => median(among)).toFixed(1),
    against: `${over(({ anywhere }) => median(anywhere)).toFixed(1)} without them`,
    unit: 'ms',
    value: over(({ anywhere, among }) => median(among) / median(anywhere)),
    goal: { below: 1.5 },
  })
  const manifest = over(({ manifest }) => percentile(manifest, 99))
  report('the files of a small folder in an account of 1,000,000, p99', {
    measured: manifest.toFixed(1),
    against: 'an absolute bound',
    unit: 'ms',
    value: manifest,
    goal: { below: 25 },
  })
} finally {
  for (const network of networks) await network.stop()
}
