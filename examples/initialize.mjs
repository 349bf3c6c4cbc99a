// Creates the instance that the whole program shares.
import Storage from '@tidenet/storage'

const {
  code,
  msg,
  data: storage,
} = Storage.initialize({
  url: process.env.TIDENET_URL,
  token: process.env.TIDENET_TOKEN,
  debug: false,
})
if (code !== 0) throw new Error(msg)

console.log(JSON.stringify(await storage.listRegions()))
