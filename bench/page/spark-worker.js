// The MD5 of a Blob with spark-md5, in the same slices as the SDK.
import { MD5_SLICE } from '@tidenet/contract/constants'
import SparkMD5 from 'spark-md5'

addEventListener('message', async ({ data: blob }) => {
  const hash = new SparkMD5.ArrayBuffer()
  for (let at = 0; at < blob.size; at += MD5_SLICE) hash.append(await blob.slice(at, at + MD5_SLICE).arrayBuffer())
  postMessage(hash.end())
})
