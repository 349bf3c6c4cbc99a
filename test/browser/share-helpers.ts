import { randomInt } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { paths } from '@tidenet/contract/paths.gen'
import { createStorage, type PathedFile } from '@tidenet/storage'
import { texts as goingEn } from '../../apps/web/src/features/home/going-texts.en.ts'
import { texts as goingZh } from '../../apps/web/src/features/home/going-texts.zh.ts'
import { texts as homeEn } from '../../apps/web/src/features/home/texts.en.ts'
import { texts as homeZh } from '../../apps/web/src/features/home/texts.zh.ts'
import { texts as previewEn } from '../../apps/web/src/features/preview/texts.en.ts'
import { texts as previewZh } from '../../apps/web/src/features/preview/texts.zh.ts'
import { texts as redirectEn } from '../../apps/web/src/features/redirect/texts.en.ts'
import { texts as redirectZh } from '../../apps/web/src/features/redirect/texts.zh.ts'
import { texts as linksEn } from '../../apps/web/src/features/shares/link-texts.en.ts'
import { texts as linksZh } from '../../apps/web/src/features/shares/link-texts.zh.ts'
import { texts as sharesEn } from '../../apps/web/src/features/shares/texts.en.ts'
import { texts as sharesZh } from '../../apps/web/src/features/shares/texts.zh.ts'
import { texts as uploadLinkEn } from '../../apps/web/src/features/shares/upload-texts.en.ts'
import { texts as uploadLinkZh } from '../../apps/web/src/features/shares/upload-texts.zh.ts'
import { texts as uploadsEn } from '../../apps/web/src/features/uploads/texts.en.ts'
import { texts as uploadsZh } from '../../apps/web/src/features/uploads/texts.zh.ts'
import { data, expect, test as plain, type TestUser } from './test-env.ts'

const cardEn = { ...homeEn.card, ...goingEn }
const cardZh = { ...homeZh.card, ...goingZh }
const words = {
  en: {
    uploadLink: uploadLinkEn,
    links: linksEn,
    shares: sharesEn,
    preview: previewEn,
    uploads: uploadsEn,
    card: cardEn,
    redirect: redirectEn,
  },
  zh: {
    uploadLink: uploadLinkZh,
    links: linksZh,
    shares: sharesZh,
    preview: previewZh,
    uploads: uploadsZh,
    card: cardZh,
    redirect: redirectZh,
  },
}

/** The test function of share tests, with the texts of their pages. */
export const test = plain.extend<{ w: (typeof words)['en'] }>({
  w: async ({ view }, use) => use(words[view.lang]),
})

export interface Shared {
  cid: string
  /** The id of the link. */
  id: string
  /** `?cid=…&AssetType=…&address=…` */
  search: string
}

interface Terms {
  short_pass?: string
  /** Unix seconds. */
  expire_time?: number
  area_id?: string
}

/** Uploads a file to an account and shares it. Terms that depend on the time are asked for after the upload. */
export async function share(
  user: TestUser,
  name: string,
  bytes: Uint8Array,
  more: { terms?: Terms | (() => Terms); passphrase?: string; folder?: number } = {},
): Promise<Shared> {
  const storage = createStorage({ url: process.env.TIDENET_URL ?? '', token: user.token, lang: 'en' })
  const result = await storage.uploadAsset(new File([new Uint8Array(bytes)], name), {
    groupId: more.folder ?? 0,
    ...(more.passphrase && { encrypt: { passphrase: more.passphrase } }),
  })
  if (result.code !== 0) throw new Error(`${name}: ${result.msg}`)
  const terms = typeof more.terms === 'function' ? more.terms() : more.terms
  return shareItem(user, (result.data as { cid: string }).cid, 'file', terms)
}

/** Uploads files as one folder asset with one CID. */
export async function uploadFolder(user: TestUser, files: Record<string, Uint8Array>): Promise<string> {
  const storage = createStorage({ url: process.env.TIDENET_URL ?? '', token: user.token, lang: 'en' })
  const list = Object.entries(files).map(([path, file]): PathedFile => ({ path, file }))
  const result = await storage.uploadAsset(list)
  if (result.code !== 0) throw new Error(result.msg)
  return (result.data as { cid: string }).cid
}

/** Shares an existing file or folder. */
export async function shareItem(
  user: TestUser,
  cid: string,
  kind: 'file' | 'folder',
  terms: Terms = {},
): Promise<Shared> {
  const { id } = await data<{ id: string }>('shares.create', { cid, username: user.uid, ...terms }, user.token)
  await data('shares.setStatus', { cid }, user.token)
  const search = new URLSearchParams({ cid, AssetType: kind, address: user.uid })
  if (terms.area_id) search.set('area_id', terms.area_id)
  return { cid, id, search: `?${search}` }
}

/** Waits until `nodes` nodes store a file. */
export async function waitForReplicas(user: TestUser, cid: string, nodes: number): Promise<void> {
  await expect(async () => {
    const { network_count } = await data<{ network_count: number }>('assets.detail', { cid }, user.token)
    expect(network_count).toBeGreaterThanOrEqual(nodes)
  }).toPass({ timeout: 40_000 })
}

/** Requests a shared file from another loopback address, as another visitor would. */
export async function requestFromElsewhere(fields: Record<string, string>): Promise<{ code: number; err?: number }> {
  const { port } = new URL(process.env.TIDENET_URL ?? '')
  const localAddress = `127.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}`
  return new Promise((resolve, reject) => {
    const path = `${paths['downloads.open'].path}?${new URLSearchParams(fields)}`
    const sent = request({ host: '127.0.0.1', port, path, localAddress }, (response) => {
      json(response).then((body) => resolve(body as { code: number }), reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** A WAV file, 44,100 samples of 16 bits per second. */
export function sound(seconds: number): Buffer {
  const rate = 44_100
  const samples = Math.floor(rate * seconds)
  const wav = Buffer.alloc(44 + samples * 2)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + samples * 2, 4)
  wav.write('WAVEfmt ', 8)
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate * 2],
    [40, samples * 2],
  ] as const)
    wav.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    wav.writeUInt16LE(value, at)
  wav.write('data', 36)
  // Every part is different, so no two blocks are equal.
  for (let at = 0; at < samples; at++) wav.writeInt16LE(((at * 7919) % 65_536) - 32_768, 44 + at * 2)
  return wav
}

/** A silent 8-bit WAV, so that minutes need few bytes. */
export function silence(seconds: number, more = 0): Buffer {
  const rate = 8000
  const wav = Buffer.alloc(44 + rate * seconds + more, 128)
  sound(0).copy(wav)
  for (const [at, value] of [
    [4, wav.length - 8],
    [24, rate],
    [28, rate],
    [40, wav.length - 44],
  ] as const)
    wav.writeUInt32LE(value, at)
  wav.writeUInt16LE(1, 32)
  wav.writeUInt16LE(8, 34)
  return wav
}

/** Replaces the save dialog by a file in the origin's private file system. */
export async function replaceSaveDialog(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(globalThis, {
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
    })
  })
}

/** Size of a saved file in bytes; -1 if it does not exist. */
export const savedSize = (page: Page, name: string): Promise<number> =>
  page.evaluate(async (file) => {
    try {
      const handle = await (await navigator.storage.getDirectory()).getFileHandle(file)
      return (await handle.getFile()).size
    } catch {
      return -1
    }
  }, name)

/** Another site, on another local port: browsers do not let public sites embed local ones. */
export async function serveHtml(html: string): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Requests the download sources of an anonymous file; this counts as a download. */
export async function requestAnonymousFile(cid: string): Promise<{ code: number }> {
  const path = paths['tempFiles.download'].path.replace(':cid', cid)
  return (await fetch((process.env.TIDENET_URL ?? '') + path)).json() as Promise<{ code: number }>
}
