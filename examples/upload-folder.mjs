// Uploads a folder. In Node.js, pass its path; in a page, the files of an input with `webkitdirectory`.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const text = (words) => new TextEncoder().encode(words)
const result = await storage.uploadAsset([
  { path: 'letters/read me.txt', file: text('two letters') },
  { path: 'letters/greek/alpha.txt', file: text('α') },
  { path: 'letters/greek/omega.txt', file: text('ω') },
])
console.log(JSON.stringify(result))

if (result.code === 0) await storage.deleteAsset({ assetCid: result.data.cid })
