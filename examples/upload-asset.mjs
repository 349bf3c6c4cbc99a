// Uploads a file and shows the progress. In Node.js the file can be a path, in a page a File.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const result = await storage.uploadAsset(
  process.argv?.[2] ?? new TextEncoder().encode('hello '.repeat(100_000)),
  { name: 'hello.txt', groupId: 0 },
  ({ state, percent, speed, node }) => console.log(state, `${percent} %`, `${speed} B/s`, node),
)
console.log(JSON.stringify(result))

if (result.code === 0) await storage.deleteAsset({ assetCid: result.data.cid })
