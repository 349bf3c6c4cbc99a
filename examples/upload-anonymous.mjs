// Leaves a file for a day, without an account.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL })

const result = await storage.uploadAsset(new TextEncoder().encode(`left at ${new Date().toISOString()}`), {
  name: 'note.txt',
})
console.log(JSON.stringify(result))
