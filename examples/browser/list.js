// Lists the files and folders of the account.
import { createStorage } from '@tidenet/storage'

const { url, token } = document.body.dataset
const storage = createStorage({ url, token })

const { code, msg, data } = await storage.listDirectoryContents({ parent: 0, page: 1, pageSize: 20 })
if (code !== 0) throw new Error(msg)
document.querySelector('ul').replaceChildren(
  ...data.list.map(({ Group, AssetOverview }) => {
    const item = document.createElement('li')
    item.textContent = Group?.Name ?? AssetOverview.UserAssetDetail.AssetName
    return item
  }),
)
