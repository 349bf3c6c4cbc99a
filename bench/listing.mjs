// A page of a folder with 100,000 assets: its p99, how it depends on depth, and on 1,000,000 other assets in the database.
import { createNetwork } from '@tidenet/testnet'
import { median, percentile, report, sample, timed } from './measure.mjs'
import { person, query } from './people.mjs'

const FOLDER = 100_000
const OTHERS = 1_000_000
const PAGE = 100

/** Fills an account in one go; what triggers would count row by row is counted afterwards in bulk. */
const fill = (network, userId, from, count) =>
  query(
    network,
    `set session_replication_role = replica;
     insert into contents (cid, hash, kind, size, blocks, created_at)
       select 'bench' || i, '1220', 'file', 1000, 1, now() from generate_series(${from}, ${from + count - 1}) i;
     insert into assets (user_id, seq, cid, kind, name, size, created_at, expires_at)
       select ${userId}, i - ${from}, 'bench' || i, 'file', 'file ' || i, 1000, now(), now() + interval '1 year' from generate_series(${from}, ${from + count - 1}) i;
     insert into folder_totals (user_id, folder_id, next_seq, files, bytes) values (${userId}, 0, ${count}, ${count}, ${count * 1000});
     insert into folder_runs (user_id, folder_id, run, files)
       select ${userId}, 0, seq / 512, count(*) from assets where user_id = ${userId} group by seq / 512;
     update users set used_bytes = ${count * 1000}, asset_count = ${count} where id = ${userId};
     set session_replication_role = origin;`,
  )

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

const network = await createNetwork({ nodes: 0, databaseSettings: { fsync: 'off' } })
try {
  const owner = await person(network)
  await fill(network, owner.id, 0, FOLDER)
  await query(network, 'analyze')
  const last = FOLDER / PAGE
  const anywhere = () => Array.from({ length: 300 }, () => 1 + Math.floor(Math.random() * last))
  await pages(network, owner.token, anywhere())
  const rounds = []
  for (let round = 0; round < 5; round++) rounds.push(await sample(() => pages(network, owner.token, anywhere())))
  const times = rounds.flat()
  const p99 = median(rounds.map((list) => percentile(list, 99)))
  console.log(`p99 of five rounds: ${rounds.map((list) => percentile(list, 99).toFixed(1)).join(', ')} ms`)
  const first = await sample(() => pages(network, owner.token, Array(300).fill(1)))
  const deep = await sample(() => pages(network, owner.token, Array(300).fill(last - 1)))
  report('a page of a folder of 100,000, p99', {
    measured: p99.toFixed(1),
    against: 'an absolute bound',
    unit: 'ms',
    value: p99,
    goal: { below: 25 },
  })
  report('its deepest page', {
    measured: median(deep).toFixed(1),
    against: `${median(first).toFixed(1)} of the first page`,
    unit: 'ms',
    value: median(deep) / median(first),
    goal: { below: 1.5 },
  })
  const others = await person(network)
  await fill(network, others.id, FOLDER, OTHERS)
  await query(network, 'analyze')
  await pages(network, owner.token, anywhere())
  const more = await sample(() => pages(network, owner.token, anywhere()))
  report('with 1,000,000 more assets in the database', {
    measured: median(more).toFixed(1),
    against: `${median(times).toFixed(1)} without them`,
    unit: 'ms',
    value: median(more) / median(times),
    goal: { below: 1.5 },
  })
} finally {
  await network.stop()
}
