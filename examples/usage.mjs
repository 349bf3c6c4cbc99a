// Gets downloads, traffic and storage of the last seven days.
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })

const { code, msg, data } = await storage.usage({ days: 7 })
if (code !== 0) throw new Error(msg)
for (const day of data.series_data) console.log(day.date, day.DownloadCount, day.TotalBandwidth)
console.log(JSON.stringify({ code, data }))
