// Renames a folder.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { data } = await storage.createFolder({ name: 'Draft' })
console.log(JSON.stringify(await storage.renameFolder({ groupId: data.group.ID, name: 'Final' })))

await storage.deleteFolder({ groupId: data.group.ID })
