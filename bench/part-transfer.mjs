// One transfer of the SDK in a separate process, which prints its duration and peak memory.
import { readFileSync } from 'node:fs'
import { createStorage } from '@tidenet/storage'

const { url, token, upload, uploadFolder, download, to } = JSON.parse(process.argv[2])
const storage = createStorage({ url, token })
const start = performance.now()
const { code, msg, data } = upload
  ? await storage.uploadAsset(upload)
  : uploadFolder
    ? await storage.uploadFolder(uploadFolder)
    : await storage.downloadAsset({ assetCid: download, to: { path: to } })
const ms = performance.now() - start
if (code !== 0 || data.isFastUpload || data.failed > 0) throw new Error(`${code} ${msg} ${JSON.stringify(data)}`)
const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
console.log(JSON.stringify({ ms, peak, cid: data.cid, size: data.size }))
// Do not wait for keep-alive connections.
process.exit(0)
