// Lists the root page by page: folders first, then files, newest first.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

for (let page = 1; ; page++) {
  const { code, msg, data } = await storage.listDirectoryContents({ parent: 0, page, pageSize: 20 })
  if (code !== 0) throw new Error(msg)
  for (const { Group, AssetOverview } of data.list) console.log(Group?.Name ?? AssetOverview.UserAssetDetail.AssetName)
  if (page * 20 >= data.total) {
    console.log(JSON.stringify({ code, data }))
    break
  }
}
