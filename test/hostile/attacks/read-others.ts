import type { Attack } from '../harness.ts'

/** Its account and its node try to read contents of others, through the server and from honest nodes. */
export default {
  name: 'read contents of others',
  async step({ account, made, notes }, { env, files, honest, measures }) {
    const file = files.at(-1)
    if (!file || !made) return
    const asked = [
      await env.call('downloads.own', { asset_cid: file.cid }, account),
      await env.call('downloads.open', { asset_cid: file.cid, user_id: file.owner.uid }, account),
      await env.call('assets.challenge', { cid: file.cid, node_id: honest[0]?.id ?? '' }, account),
      await env.call('tempFiles.download', { cid: file.cid }),
    ]
    for (const { code } of asked) if (code === 0) measures.foreignRead()

    // Tokens of its own making, and one that was issued for another content and a share that has ended since.
    const claims = { typ: 'download', iss: 'tidenet', sub: file.owner.uid, cid: file.cid, tid: 'x', exp: 1e11 }
    const tokens = [await made.seal({ ...claims, aud: honest[0]?.id }), (notes.get('token') as string) ?? '']
    const url = notes.get('url') as string | undefined
    for (const token of tokens) {
      const origin = url ?? (await addressOf())
      if (!origin || !token) continue
      const answer = await fetch(`${origin}/ipfs/${file.cid}?token=${token}`)
      if (answer.ok) measures.foreignRead()
      await answer.body?.cancel()
    }

    async function addressOf() {
      const { data } = await env.call('downloads.own', { asset_cid: file?.cid ?? '' }, file?.owner)
      const first = data?.url?.[0]
      if (!first) return undefined
      const { origin, searchParams } = new URL(first)
      notes.set('url', origin)
      // A token for this file; later steps try it for other files.
      notes.set('token', searchParams.get('token') ?? '')
      return origin
    }
  },
} satisfies Attack
