// Creates a folder, and another one in it.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const outer = await storage.createFolder({ name: 'Pictures' })
if (outer.code !== 0) throw new Error(outer.msg)
const inner = await storage.createFolder({ name: 'Holidays', parent: outer.data.group.ID })
console.log(JSON.stringify(inner))

await storage.deleteFolder({ groupId: outer.data.group.ID })
