// Runs in the browser: hashing with the SDK's worker and with spark-md5, and folder transfers with the SDK.
import { createStorage } from '@tidenet/storage'
import { blobSource } from '../../packages/sdk/dist/bytes.js'
import { digest } from '../../packages/sdk/dist/platform/digest.browser.js'

const picked = () => document.querySelector('#file').files[0]

async function timed(work) {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}

let uploaded

window.bench = {
  /** Uploads the selected folder. */
  upload: (token) =>
    timed(async () => {
      const storage = createStorage({ token })
      const { code, msg, data } = await storage.uploadAsset(document.querySelector('#folder').files)
      if (code !== 0 || data.isFastUpload) throw new Error(`${code} ${msg} ${JSON.stringify(data)}`)
      uploaded = data.cid
    }),
  /** Downloads it as a tar. */
  download: (token) =>
    timed(async () => {
      const storage = createStorage({ token })
      const { code, msg, data } = await storage.downloadAsset({ assetCid: uploaded, to: 'blob' })
      if (code !== 0) throw new Error(`${code} ${msg} ${JSON.stringify(data)}`)
      return data.blob.size
    }),
  /** CID and MD5 of the selected file, in a worker. */
  sdk: () => timed(() => digest(blobSource(picked()), { md5: true, signal: new AbortController().signal }).finish()),
  /** Its MD5 with spark-md5, in a worker, with the same slices. */
  spark: () =>
    timed(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker(new URL('./spark-worker.js', import.meta.url), { type: 'module' })
          worker.onmessage = ({ data }) => {
            worker.terminate()
            resolve({ md5: data })
          }
          worker.onerror = (event) => reject(new Error(event.message))
          worker.postMessage(picked())
        }),
    ),
}
