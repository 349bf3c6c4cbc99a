// Lists the areas in which files can be stored.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { code, msg, data } = await storage.listRegions()
if (code !== 0) throw new Error(msg)
for (const { key, value } of data.area_maps) console.log(`${value}: ${key}`)
console.log(JSON.stringify({ code, data }))
