// Uploads and downloads with the SDK as a stranger's program would: names come from the network's name server, and the CA of the network
// is the only one besides the public ones (NODE_EXTRA_CA_CERTS).
import dns from 'node:dns'
import { createStorage } from '@tidenet/storage'

const [url, token, server, zone, action, path, cid] = process.argv.slice(2)
const resolver = new dns.promises.Resolver()
resolver.setServers([server])
const bySystem = dns.lookup
dns.lookup = (name, options, done) => {
  if (!name.endsWith(`.${zone}`)) return bySystem(name, options, done)
  resolver.resolve4(name).then(
    ([address]) => (options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)),
    (error) => done(error),
  )
}
const storage = createStorage({ url, token })
const result =
  action === 'upload' ? await storage.uploadAsset(path) : await storage.downloadAsset({ assetCid: cid, to: { path } })
process.stdout.write(JSON.stringify(result))
