// One transfer of the SDK in a process of its own, which then tells how long it took and the most memory it ever had.
import { readFileSync } from 'node:fs'
import { createStorage } from '@tidenet/storage'

const { url, token, upload, download, to } = JSON.parse(process.argv[2])
const storage = createStorage({ url, token })
const start = performance.now()
const { code, msg, data } = upload
  ? await storage.uploadAsset(upload)
  : await storage.downloadAsset({ assetCid: download, to: { path: to } })
const ms = performance.now() - start
if (code !== 0 || data.isFastUpload) throw new Error(`${code} ${msg} ${JSON.stringify(data)}`)
const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
console.log(JSON.stringify({ ms, peak, cid: data.cid, size: data.size }))
// Kept-alive connections are not waited for.
process.exit(0)
