// An account for benchmarks, registered with a code from the development mailbox, with large quotas.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { pause } from './measure.mjs'

export async function person(network, { storage = 1e12, downloadTraffic = 1e15 } = {}) {
  const username = `${randomUUID()}@bench.example`
  const post = async (path, body) => {
    const answer = await fetch(network.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { code, msg, data } = await answer.json()
    if (code !== 0) throw new Error(`${path}: ${msg}`)
    return data
  }
  await post('/api/v1/user/verify_code', { username, type: 1 })
  let code
  for (let attempt = 0; !code && attempt < 100; attempt++) {
    const { mails } = await (await fetch(`${network.url}/dev/mailbox.json?to=${username}`)).json()
    code = mails[0]?.code
    if (!code) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const password = 'b3nch-Mark!'
  await post('/api/v1/user/register', { username, password, verify_code: code })
  const { token } = await post('/api/v1/user/login', { username, password })
  const { id, uid } = await query(
    network,
    'update users set storage_quota = $2, outflow_quota = $3 where email = $1 returning id, uid',
    [username, storage, downloadTraffic],
  )
  return { token, id: Number(id), uid, username }
}

/** Runs a statement on the network's database and returns the first row. */
export async function query(network, text, values = []) {
  const client = new pg.Client({ connectionString: network.databaseUrl })
  await client.connect()
  try {
    return (await client.query(text, values)).rows?.[0]
  } finally {
    await client.end()
  }
}

/** Waits until nodes have copied, audited and deleted all that they should: the network works on an upload for a while after its answer. */
export async function untilAtRest(network, { limitMs = 120_000 } = {}) {
  const until = performance.now() + limitMs
  const working = `select exists (select 1 from contents where check_at < now() + interval '1 minute')
    or exists (select 1 from replicas where state in ('wanted', 'pulling', 'removed'))
    or exists (select 1 from audits where state = 'open') as working`
  while ((await query(network, working)).working) {
    if (performance.now() > until) throw new Error(`the network still copies or audits after ${limitMs} ms`)
    await pause(500)
  }
}

/** Inserts nodes that do not exist but are marked online and reachable. Their ids are `bench-1` and so on. */
export const addNodes = (network, count) =>
  query(
    network,
    `insert into nodes (id, public_key, kind, name, area_id, url, ip, latitude, longitude, version, cpu_cores, memory, capacity, free,
       status, reachable, reachable_at, seen_at, arrived_at, created_at)
     select 'bench-' || i, 'bench-' || i, case when i % 10 = 0 then 'candidate' else 'edge' end, '', (array['Europe-Germany-Hesse-Frankfurt',
       'Asia-Japan-Tokyo-Tokyo', 'Asia-Singapore-Singapore-Singapore', 'America-Brazil-SaoPaulo-SaoPaulo'])[1 + i % 4],
       'http://127.0.0.1:' || (40000 + i % 20000), '127.0.0.1', 0, 0, '0', 4, 8000000000, 1000000000000, 900000000000,
       'online', true, now(), now(), now(), now()
     from generate_series(1, ${count}) i`,
  )

/** Inserts files into the root folder of an account, numbered from `from`; updates in bulk the counters that triggers maintain. */
export const fill = (network, userId, from, count) =>
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
