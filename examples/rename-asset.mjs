// Renames a file; its CID does not change.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { data } = await storage.uploadAsset(new TextEncoder().encode('a text to rename'), { name: 'old.txt' })
console.log(JSON.stringify(await storage.renameAsset({ assetCid: data.cid, name: 'new.txt' })))

await storage.deleteAsset({ assetCid: data.cid })
