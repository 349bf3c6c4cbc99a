import { createHash, randomUUID } from 'node:crypto'

/**
 * A client written from the specification alone, without code of this repository: only the calls, headers and
 * fields of the API.
 */
export interface Reply<T = Record<string, unknown>> {
  code: number
  err?: number
  msg?: string
  data: T
}

export interface Uploaded {
  cid: string
  node: string
  bytes: number
}

/** The answer of get_upload_info. */
export interface UploadInfo {
  AlreadyExists: boolean
  CID: string
  List: { NodeID: string; UploadURL: string; Token: string }[]
  TraceID: string
  Proof: { id: string; offset: number; length: number } | null
}
export type WireClient = ReturnType<typeof wireClient>

export function wireClient(url: string, token = 'token') {
  const headers = (): Record<string, string> => ({
    lang: 'en',
    ...(token !== 'token' && { JwtAuthorization: `Bearer ${token}` }),
  })

  const get = async <T>(path: string, query: Record<string, string | number | string[]> = {}): Promise<Reply<T>> => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      for (const one of [value].flat()) search.append(name, String(one))
    return (await fetch(`${url}${path}?${search}`, { headers: headers() })).json() as Promise<Reply<T>>
  }
  const post = async <T>(path: string, body: unknown): Promise<Reply<T>> =>
    (
      await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { ...headers(), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json() as Promise<Reply<T>>

  return {
    url,
    token,
    get,
    post,
    as: (other: string) => wireClient(url, other),

    /** Upload info, a multipart POST to one node after another, create_asset. */
    async upload(
      bytes: Uint8Array<ArrayBuffer>,
      name: string,
      more: { group?: number; areas?: string[] } = {},
    ): Promise<Uploaded> {
      const anonymous = token === 'token'
      const info = await get<{
        AlreadyExists: boolean
        CID: string
        List: { NodeID: string; UploadURL: string; Token: string }[]
      }>(anonymous ? '/api/v1/storage/temp_file/get_upload_file' : '/api/v1/storage/get_upload_info', {
        t: Date.now(),
        need_trace: 'true',
        ...(anonymous ? {} : { md5: createHash('md5').update(bytes).digest('hex') }),
        area_id: more.areas ?? [],
      })
      if (info.code !== 0) throw new Refused('get_upload_info', info)
      let stored: { cid: string; node: string } | undefined = info.data.AlreadyExists
        ? { cid: info.data.CID, node: '' }
        : undefined
      let failure: unknown
      for (const node of info.data.List) {
        if (stored) break
        try {
          const form = new FormData()
          form.append('file', new Blob([bytes]), name)
          const answer = await fetch(node.UploadURL, {
            method: 'POST',
            headers: { Authorization: `Bearer ${node.Token}` },
            body: form,
          })
          const { code, cid } = (await answer.json()) as { code: number; cid: string }
          if (code === 0) stored = { cid, node: node.NodeID }
        } catch (error) {
          failure = error
        }
      }
      if (!stored) throw new Error('no node took the upload', { cause: failure })
      const created = await post(anonymous ? '/api/v1/storage/temp_file/upload' : '/api/v1/storage/create_asset', {
        asset_name: name,
        asset_type: anonymous ? undefined : 'file',
        asset_size: bytes.length,
        asset_cid: stored.cid,
        node_id: stored.node,
        group_id: more.group ?? 0,
        ...(anonymous
          ? { area_ids: more.areas ?? [] }
          : { area_id: more.areas ?? [], md5: createHash('md5').update(bytes).digest('hex') }),
        need_trace: true,
      })
      if (created.code !== 0 && created.err !== 1017) throw new Refused('create_asset', created)
      return { ...stored, bytes: bytes.length }
    },

    /** The bytes, from the first download source that returns all of them. */
    async download(cid: string): Promise<Uint8Array> {
      const info = await (token === 'token'
        ? get<{ url: string[]; size: number }>(`/api/v1/storage/temp_file/download/${cid}`)
        : get<{ url: string[]; size: number }>('/api/v1/storage/share_asset', { asset_cid: cid }))
      if (info.code !== 0) throw new Refused('share_asset', info)
      for (const address of info.data.url) {
        const answer = await fetch(address).catch(() => undefined)
        if (answer?.status === 200) return new Uint8Array(await answer.arrayBuffer())
      }
      throw new Error('no address gave the bytes')
    },

    async list(parent = 0): Promise<{ cid: string; size: number; name: string }[]> {
      const all: { cid: string; size: number; name: string }[] = []
      for (let page = 1; ; page++) {
        const { data } = await get<{
          total: number
          list: { AssetOverview: { UserAssetDetail: { Cid: string; TotalSize: number; AssetName: string } } | null }[]
        }>('/api/v1/storage/get_asset_group_list', { page, parent, page_size: 100 })
        for (const { AssetOverview } of data.list)
          if (AssetOverview) {
            const { Cid, TotalSize, AssetName } = AssetOverview.UserAssetDetail
            all.push({ cid: Cid, size: TotalSize, name: AssetName })
          }
        if (page * 100 >= data.total) return all
      }
    },
  }
}

/** Sends bytes to a node as a form. */
export async function send(slot: { UploadURL: string; Token: string } | undefined, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'a.bin')
  const headers = { Authorization: `Bearer ${slot?.Token}` }
  const answer = await fetch(slot?.UploadURL ?? '', { method: 'POST', headers, body: form })
  return { status: answer.status, ...((await answer.json()) as { code: number; cid?: string; receipt?: string }) }
}

/** An error response with its code. */
export class Refused extends Error {
  readonly err: number | undefined
  constructor(call: string, reply: Reply<unknown>) {
    super(`${call}: ${reply.code} ${reply.err} ${reply.msg}`)
    this.err = reply.err
  }
}

/** Creates an account with the code from the development mailbox. */
export async function signUp(url: string): Promise<WireClient & { username: string; password: string }> {
  const username = `${randomUUID()}@people.example`
  const password = 'Good-Pass_9'
  const visitor = wireClient(url)
  const sent = await visitor.post('/api/v1/user/verify_code', { username, type: 1 })
  if (sent.code !== 0) throw new Refused('verify_code', sent)
  const code = await until(async () => {
    const { mails } = (await (await fetch(`${url}/dev/mailbox.json?to=${username}`)).json()) as {
      mails: { code: string | null }[]
    }
    return mails[0]?.code ?? undefined
  })
  const registered = await visitor.post('/api/v1/user/register', { username, password, verify_code: code })
  if (registered.code !== 0) throw new Refused('register', registered)
  const { data } = await visitor.post<{ token: string }>('/api/v1/user/login', { username, password })
  return { ...wireClient(url, data.token), username, password }
}

/** Polls until there is a result, for effects in other processes. @throws after `ms`, or at once errors that are `final` */
export async function until<T>(ask: () => Promise<T | undefined | false>, ms = 30_000): Promise<T> {
  const end = Date.now() + ms
  let failure: unknown
  let pause = 100
  while (Date.now() < end) {
    try {
      const answer = await ask()
      if (answer !== undefined && answer !== false) return answer
    } catch (error) {
      if ((error as { final?: boolean }).final) throw error
      failure = error
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
    // Calls are limited per minute.
    pause = Math.min(500, pause * 1.2)
  }
  throw new Error(`not within ${ms} ms: ${String(failure)} ${String((failure as Error | undefined)?.cause ?? '')}`, {
    cause: failure,
  })
}
