// An account for a bench, signed up through the mailbox like anybody, with room enough.
import { randomUUID } from 'node:crypto'
import pg from 'pg'

export async function person(network, { storage = 1e12, outflow = 1e15 } = {}) {
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
  for (let tries = 0; !code && tries < 100; tries++) {
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
    [username, storage, outflow],
  )
  return { token, id: Number(id), uid, username }
}

/** One statement on the network's database; its first row. */
export async function query(network, text, values = []) {
  const client = new pg.Client({ connectionString: network.databaseUrl })
  await client.connect()
  try {
    return (await client.query(text, values)).rows?.[0]
  } finally {
    await client.end()
  }
}
