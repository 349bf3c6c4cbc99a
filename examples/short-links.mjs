// Creates a short link for seven days with a password, changes it, and revokes it.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { data } = await storage.uploadAsset(new TextEncoder().encode('a text for two people'), { name: 'two.txt' })
const link = await storage.links.create({ id: data.cid, expireAt: 7, hasDay: true, shortPass: 'abc123' })
console.log(link.data.url)
console.log(JSON.stringify(await storage.links.change({ id: link.data.id, shortPass: '', maxDownloads: 5 })))
console.log(JSON.stringify(await storage.links.list({ item: data.cid })))
console.log(JSON.stringify(await storage.links.revoke(link.data.id)))

await storage.deleteAsset({ assetCid: data.cid })
