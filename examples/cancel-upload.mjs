// Stops an upload halfway: sending ends, nothing is stored, and the reserved quota is released.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const bytes = new Uint8Array(20_000_000)
for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
const task = storage.uploadAsset(bytes, { name: 'stopped.bin' }, ({ percent }) => {
  if (percent > 10) task.cancel()
})
const { code, msg } = await task
console.log(code, msg)
const { data } = await storage.getUserProfile()
console.log(JSON.stringify({ code: code === -200 ? 0 : code, data: { used: data.UsedSize } }))
