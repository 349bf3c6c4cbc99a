// Uploads a file without an account; it is kept for 24 hours.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL })

const result = await storage.uploadAsset(new TextEncoder().encode(`left at ${new Date().toISOString()}`), {
  name: 'note.txt',
})
console.log(JSON.stringify(result))
