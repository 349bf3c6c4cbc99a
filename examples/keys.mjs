// Creates an API key that can only read, uses it and deletes it. API keys cannot create keys, so this needs a session.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { code, msg, data } = await storage.createKey({
  name: 'reader',
  type: 'normal',
  perms: ['readFile', 'readFolder'],
})
if (code !== 0) throw new Error(msg)

const reader = createStorage({ url: process.env.TIDENET_URL, token: data.key })
console.log('may list:', (await reader.listDirectoryContents()).code === 0)
console.log('may not upload:', (await reader.uploadAsset(new Uint8Array([1]), { name: 'no' })).msg)

console.log((await storage.listKeys()).data.list.map(({ name }) => name))
console.log(JSON.stringify(await storage.deleteKey({ name: 'reader' })))
