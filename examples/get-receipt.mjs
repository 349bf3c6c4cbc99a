// Gets the receipt of an upload: the network's signed statement, to keep or to show to somebody else.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const uploaded = await storage.uploadAsset(new TextEncoder().encode('a text with a receipt'), { name: 'receipt.txt' })
const { code, msg, data } = await storage.receipts.get(uploaded.data.receipt_id)
if (code !== 0) throw new Error(msg)
console.log(`leaf ${data.proof.index} of the log with ${data.proof.size}, anchored: ${data.anchor !== null}`)
console.log(JSON.stringify({ code, data }))

await storage.deleteAsset({ assetCid: uploaded.data.cid })
