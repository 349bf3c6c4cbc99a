// Gets name, size and replicas of a file.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const uploaded = await storage.uploadAsset(new TextEncoder().encode('a text with details'), { name: 'details.txt' })
const { code, msg, data } = await storage.getItemDetails({ cId: uploaded.data.cid })
if (code !== 0) throw new Error(msg)
const { AssetName, TotalSize } = data.AssetOverview.UserAssetDetail
console.log(`${AssetName}: ${TotalSize} bytes, ${data.AssetOverview.AssetRecord.replica_num} replicas`)
console.log(JSON.stringify({ code, data }))

await storage.deleteAsset({ assetCid: uploaded.data.cid })
