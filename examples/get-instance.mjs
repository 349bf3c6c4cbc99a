// Gets the instance that another part of the program initialized.
import Storage from '@tidenet/storage'

console.log('before:', Storage.getInstance().code)
Storage.initialize({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { data: storage } = Storage.getInstance()
console.log(JSON.stringify(await storage.getUserProfile()))
