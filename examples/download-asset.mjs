// Downloads a file from all nodes that hold it; every byte is verified against the CID. In Node.js, `to` can be a path.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { data: stored } = await storage.uploadAsset(new TextEncoder().encode('hello '.repeat(100_000)), {
  name: 'back.txt',
})
const result = await storage.downloadAsset(
  { assetCid: stored.cid, to: 'blob', onChunk: ({ nodeId, bytes }) => console.log(`${bytes} bytes of ${nodeId}`) },
  ({ state, percent }) => console.log(state, `${percent} %`),
)
console.log((await result.data.blob.text()).slice(0, 5))
console.log(JSON.stringify({ code: result.code, data: { ...result.data, blob: undefined } }))

await storage.deleteAsset({ assetCid: stored.cid })
