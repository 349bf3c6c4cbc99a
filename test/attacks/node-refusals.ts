import { request } from 'node:http'
import { form, type TestEnv as NodeTestEnv } from '../../apps/node/src/test-env.fixture.ts'
import type { Refused } from './refused.ts'

/** Provokes each refusal of a node. */
export function nodeRefusals(nodes: () => NodeTestEnv) {
  async function onNode(path: string, init: RequestInit = {}): Promise<Refused> {
    const at = await nodes().start()
    const token = await nodes().server.uploadToken(at.id, { max: 1000 })
    const headers = { authorization: `Bearer ${token}`, lang: 'cn', ...init.headers }
    return (await fetch(at.url + path, { method: 'POST', ...init, headers })).json() as Promise<Refused>
  }

  const PARTIAL_BODY = '--x\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\na'

  /** Stalled uploads fill all slots of a node and its queue. */
  async function busyNode(): Promise<Refused> {
    const at = await nodes().start()
    const token = await nodes().server.uploadToken(at.id)
    const headers = { authorization: `Bearer ${token}`, lang: 'cn', 'content-type': 'multipart/form-data; boundary=x' }
    const waiting = Array.from({ length: 105 }, () => {
      const upload = request(`${at.url}/uploadv2`, {
        method: 'POST',
        headers: { ...headers, 'content-length': 1000 },
        agent: false,
      })
      upload.on('error', () => {})
      upload.write(PARTIAL_BODY)
      return upload
    })
    try {
      for (;;) {
        const answer = await fetch(`${at.url}/uploadv2`, {
          method: 'POST',
          headers,
          body: PARTIAL_BODY,
          signal: AbortSignal.timeout(500),
        })
          // Until the others have arrived there is a place for this one, too.
          .then((answer) => (answer.status === 503 ? (answer.json() as Promise<Refused>) : undefined))
          .catch(() => undefined)
        if (answer) return answer
      }
    } finally {
      for (const upload of waiting) upload.destroy()
    }
  }

  return {
    tokenRejected: () => onNode('/uploadv2', { headers: { authorization: 'Bearer x' }, body: form(new Uint8Array(1)) }),
    fileFieldMissing: () => onNode('/uploadv2', { body: '{}', headers: { 'content-type': 'application/json' } }),
    uploadTooLarge: () => onNode('/uploadv2', { body: form(new Uint8Array(2000)) }),
    nodeFull: async () => {
      const small = await nodes().start({ capacity: 1_000_000 })
      const token = await nodes().server.uploadToken(small.id)
      const headers = { authorization: `Bearer ${token}`, lang: 'cn' }
      const body = form(new Uint8Array(2_000_000))
      return (await fetch(`${small.url}/uploadv2`, { method: 'POST', headers, body })).json() as Promise<Refused>
    },
    nodeBusy: busyNode,
  }
}
