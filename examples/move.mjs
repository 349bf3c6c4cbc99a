// Moves a file into a folder, and the folder into another one.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { data: year } = await storage.createFolder({ name: '2025' })
const { data: month } = await storage.createFolder({ name: 'May' })
const { data: file } = await storage.uploadAsset(new TextEncoder().encode('a day in May'), { name: 'day.txt' })

console.log(JSON.stringify(await storage.moveAsset({ assetCid: file.cid, groupId: month.group.ID })))
console.log(JSON.stringify(await storage.moveFolder({ groupId: month.group.ID, targetGroupId: year.group.ID })))

await storage.deleteFolder({ groupId: year.group.ID })
