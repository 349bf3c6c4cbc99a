// Deletes a folder with everything in it. With `force: false`, only an empty folder is deleted.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { data } = await storage.createFolder({ name: 'Old things' })
await storage.createFolder({ name: 'Older things', parent: data.group.ID })

console.log('only when empty:', (await storage.deleteFolder({ groupId: data.group.ID, force: false })).msg)
console.log(JSON.stringify(await storage.deleteFolder({ groupId: data.group.ID })))
