import type { Attack } from '../harness.ts'

const SESSIONS = 20

/** Its account opens as many uploads on honest nodes as it can and sends no bytes. */
export default {
  name: 'sessions without bytes',
  async step({ account }, { env }) {
    for (let time = 0; time < SESSIONS; time++) {
      const { data, code } = await env.call('uploads.info', { size: 100_000_000 }, account)
      const target = data?.List?.[0]
      if (code !== 0 || !target?.ResumeURL) return
      await fetch(target.ResumeURL, {
        method: 'POST',
        headers: { authorization: `Bearer ${target.Token}`, 'tus-resumable': '1.0.0', 'upload-length': '100000000' },
      }).catch(() => undefined)
    }
  },
} satisfies Attack
