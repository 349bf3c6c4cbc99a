// Gets the used storage, the quota and the account of the token.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { code, msg, data } = await storage.getUserProfile()
if (code !== 0) throw new Error(msg)
console.log(`${data.UsedSize} of ${data.TotalSize} bytes are used`)
console.log(JSON.stringify({ code, data }))
