// Gets the addresses of a file, for programs that download it themselves.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { data: stored } = await storage.uploadAsset(new TextEncoder().encode('where am I?'), { name: 'where.txt' })
const result = await storage.getDownLoadUrls({ assetCid: stored.cid })
const answer = await fetch(result.data.url[0])
console.log(await answer.text())
console.log(JSON.stringify(result))

await storage.deleteAsset({ assetCid: stored.cid })
