// Encrypts a file before it is uploaded. The SDK and `age -d` decrypt the download.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const passphrase = 'twelve green turtles'
const { code, msg, data } = await storage.uploadAsset(new TextEncoder().encode('a secret'), {
  name: 'secret.txt',
  encrypt: { passphrase },
})
if (code !== 0) throw new Error(msg)
const opened = await storage.downloadAsset({ assetCid: data.cid, to: 'blob', decrypt: { passphrase } })
console.log(await opened.data.blob.text())
console.log(JSON.stringify({ code: opened.code, data: { size: opened.data.size } }))

await storage.deleteAsset({ assetCid: data.cid })
