// Deletes a file.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { data } = await storage.uploadAsset(new TextEncoder().encode('a text to delete'), { name: 'gone.txt' })
console.log(JSON.stringify(await storage.deleteAsset({ assetCid: data.cid })))
