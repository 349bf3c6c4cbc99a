// Uploads the selected file and shows the progress.
import { createStorage } from '@tidenet/storage'

const { url, token } = document.body.dataset
const storage = createStorage({ url, token })

document.querySelector('input[type=file]').addEventListener('change', async ({ target }) => {
  const { code, msg, data } = await storage.uploadAsset(target.files[0], {}, ({ percent }) => {
    document.querySelector('progress').value = percent
  })
  document.querySelector('output').value = code === 0 ? data.cid : msg
})
