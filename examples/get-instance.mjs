// Another part of the program finds the instance that was initialized before.
import Storage from '@tidenet/storage'

console.log('before:', Storage.getInstance().code)
Storage.initialize({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { data: storage } = Storage.getInstance()
console.log(JSON.stringify(await storage.getUserProfile()))
