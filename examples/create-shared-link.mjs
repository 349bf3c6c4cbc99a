// Creates a link for seven days with a password. The second call changes the link.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { data } = await storage.uploadAsset(new TextEncoder().encode('a text to share'), { name: 'shared.txt' })
const link = await storage.createSharedLink({ id: data.cid, expireAt: 7, hasDay: true, shortPass: 'abc123' })
console.log(link.data.url)
console.log(JSON.stringify(await storage.createSharedLink({ id: data.cid, shortPass: '' })))

await storage.deleteAsset({ assetCid: data.cid })
