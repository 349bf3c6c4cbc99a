// Sets the language of messages: Chinese, then English.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

storage.updateLanguage('cn')
console.log((await storage.createFolder({ name: '' })).msg)

storage.updateLanguage('en')
console.log((await storage.createFolder({ name: '' })).msg)
console.log(JSON.stringify(await storage.listRegions()))
