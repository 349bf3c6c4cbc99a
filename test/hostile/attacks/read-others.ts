import { fetchAgain } from '../fetch-again.ts'
import type { Attack } from '../harness.ts'

/** Its account and its node try to read contents of others, through the server and from honest nodes. */
export default {
  name: 'read contents of others',
  async step({ account, made }, { env, files, measures }) {
    const [file, other] = [files.at(-1), files.at(-2)]
    if (!file || !other || !made) return
    const { data, code } = await env.call('downloads.own', { asset_cid: file.cid }, file.owner)
    if (code !== 0) return
    const address = new URL(data.url[0] ?? 'http://127.0.0.1:9')
    const asked = [
      await env.call('downloads.own', { asset_cid: file.cid }, account),
      await env.call('downloads.open', { asset_cid: file.cid, user_id: file.owner.uid }, account),
      await env.call('assets.challenge', { cid: file.cid, node_id: data.node_ids[0] ?? '' }, account),
      await env.call('tempFiles.download', { cid: file.cid }),
    ]
    for (const { code } of asked) if (code === 0) measures.foreignRead()

    // A token of its own making, a genuine one of another content, and none.
    const forged = { typ: 'download', iss: 'tidenet', sub: file.owner.uid, cid: file.cid, tid: 'x', exp: 1e11 }
    const genuine = (await env.call('downloads.own', { asset_cid: other.cid }, other.owner)).data
    for (const token of [
      await made.seal({ ...forged, aud: data.node_ids[0] }),
      tokenOf(genuine?.url?.find((url) => new URL(url).origin === address.origin)),
      '',
    ]) {
      const answer = await fetchAgain(`${address.origin}/ipfs/${file.cid}?token=${token}`)
      if (answer.ok) measures.foreignRead()
      await answer.body?.cancel()
    }
  },
} satisfies Attack

const tokenOf = (url: string | undefined) => (url ? new URL(url).searchParams.get('token') : '') ?? ''
