// Continues without an account, then with the first token again.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

storage.updateToken('token')
console.log('without an account:', (await storage.getUserProfile()).msg)

storage.updateToken(process.env.TIDENET_TOKEN)
console.log(JSON.stringify(await storage.getUserProfile()))
