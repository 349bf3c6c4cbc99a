// Creates a link for seven days with a password when the button is pressed.
import { createStorage } from '@tidenet/storage'

const { url, token, cid } = document.body.dataset
const storage = createStorage({ url, token })

document.querySelector('button').addEventListener('click', async () => {
  const { code, msg, data } = await storage.createSharedLink({
    id: cid,
    expireAt: 7,
    hasDay: true,
    shortPass: 'abc123',
  })
  document.querySelector('output').value = code === 0 ? data.url : msg
})
