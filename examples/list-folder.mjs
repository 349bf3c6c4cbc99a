// Lists an uploaded folder and downloads one file of it; every byte is verified.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const text = (words) => new TextEncoder().encode(words)
const { data: stored } = await storage.uploadAsset([
  { path: 'pair/one.txt', file: text('one') },
  { path: 'pair/below/two.txt', file: text('two') },
])
const { code, msg, data } = await storage.listFolder(stored.cid, { path: 'below' })
if (code !== 0) throw new Error(msg)
const part = await storage.downloadAsset({ assetCid: stored.cid, path: 'below/two.txt', to: 'blob' })
if (part.code !== 0) throw new Error(part.msg)
console.log(JSON.stringify({ code, data, text: await part.data.blob.text() }))

await storage.deleteAsset({ assetCid: stored.cid })
