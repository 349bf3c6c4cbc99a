// Uploads and downloads with the SDK as a stranger's program would: names come from the network's name server, and the CA of the network
// is the only one besides the public ones (NODE_EXTRA_CA_CERTS).
import { createStorage } from '@tidenet/storage'

const [url, token, action, path, cid] = process.argv.slice(2)
const storage = createStorage({ url, token })
const result =
  action === 'upload' ? await storage.uploadAsset(path) : await storage.downloadAsset({ assetCid: cid, to: { path } })
process.stdout.write(JSON.stringify(result))
