import type { Attack } from '../harness.ts'

/** Signs receipts for contents of others, with and without a granted upload, to open them with its own account. */
export default {
  name: 'forge receipts',
  async step(attacker, { env, files }) {
    const { made, account, notes } = attacker
    const { cid, size } = files.at(-1) ?? {}
    if (!made || !cid) return
    const { data } = await env.call('uploads.info', { size: size as number }, account)
    const claims = { sub: account.uid, tid: data?.TraceID ?? '', cid }
    const answer = await made.deliver(
      await made.receipt({ ...claims, size: size as number }),
      await made.receipt({ ...claims, size: size as number, jti: 'invented' }),
    )
    notes.set('accepted', ((notes.get('accepted') as number) ?? 0) + (answer.data?.accepted ?? 0))
  },
  gains: async ({ notes }) => ({ 'accepted receipts without a grant': (notes.get('accepted') as number) ?? 0 }),
} satisfies Attack
