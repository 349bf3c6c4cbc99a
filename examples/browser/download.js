// Downloads a file from all nodes that hold it, verifies every block, and lets the browser save it.
import { createStorage } from '@tidenet/storage'

const { url, token, cid } = document.body.dataset
const storage = createStorage({ url, token })

document.querySelector('button').addEventListener('click', async () => {
  const { code, msg } = await storage.downloadAsset({ assetCid: cid, to: 'save' }, ({ percent }) => {
    document.querySelector('progress').value = percent
  })
  document.querySelector('output').value = code === 0 ? 'saved' : msg
})
