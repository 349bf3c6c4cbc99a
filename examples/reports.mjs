// Downloads a file without the SDK and reports the transfer.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { data: stored } = await storage.uploadAsset(new TextEncoder().encode('reported'), { name: 'reported.txt' })
const { data: addresses } = await storage.getDownLoadUrls({ assetCid: stored.cid })
const began = Date.now()
const bytes = await (await fetch(addresses.url[0])).arrayBuffer()
const ended = Date.now()
const result = await storage.reports({
  trace_id: addresses.trace_id,
  cid: stored.cid,
  state: 1,
  transfer_type: 'download',
  total_size: bytes.byteLength,
  cost_ms: ended - began,
  details: [
    {
      node_id: addresses.node_ids[0],
      state: 1,
      transfer_type: 'download',
      size: bytes.byteLength,
      start_at: began,
      end_at: ended,
      status_code: 200,
      error: '',
    },
  ],
})
console.log(JSON.stringify(result))

await storage.deleteAsset({ assetCid: stored.cid })
