// Uploads a file with a tus client. Uppy and other clients take the same endpoint and header.
import { Upload } from 'tus-js-client'

const api = `${process.env.TIDENET_URL}/api/v1/storage`
const headers = { JwtAuthorization: `Bearer ${process.env.TIDENET_TOKEN}`, 'Content-Type': 'application/json' }
const file = Buffer.from('the tide waits for no one')

// Nodes that take a file of this size, each with a token. A program in a browser gets both from your server, which has the API key.
const info = await (await fetch(`${api}/get_upload_info?size=${file.length}`, { headers })).json()
if (info.code !== 0) throw new Error(info.msg)
const { ResumeURL, Token } = info.data.List[0]

const stored = await new Promise((resolve, reject) => {
  new Upload(file, {
    endpoint: ResumeURL,
    headers: { Authorization: `Bearer ${Token}` },
    onError: reject,
    onSuccess: ({ lastResponse }) =>
      resolve({ cid: lastResponse.getHeader('Upload-Cid'), receipt: lastResponse.getHeader('Upload-Receipt') }),
  }).start()
})

// The signed receipt of the node puts the file into the account.
const body = JSON.stringify({
  asset_name: 'waits.txt',
  asset_type: 'file',
  asset_size: file.length,
  asset_cid: stored.cid,
  receipt: stored.receipt,
})
const created = await (await fetch(`${api}/create_asset`, { method: 'POST', headers, body })).json()
console.log(JSON.stringify(created))
