/**
 * The suite of the SDK that runs in every place where it runs: Node.js, pages and workers of each browser. It uses nothing but the SDK and the
 * Web's own functions.
 * @param {{ sdk: typeof import('@tidenet/storage'), url: string, token: string }} given
 * @returns {Promise<{ name: string, error?: string }[]>} the cases, in order; `error` of those that failed
 */
export async function runSuite({ sdk, url, token }) {
  const storage = sdk.createStorage({ url, token })
  const results = []
  const test = async (name, run) => {
    try {
      await run()
      results.push({ name })
    } catch (error) {
      results.push({ name, error: `${error} ${error?.stack ?? ''}` })
    }
  }
  /** The data of a result. */
  const need = (result) => {
    if (!sdk.isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
    return result.data
  }
  const equal = (found, wanted) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
  }
  const random = (size) => {
    const bytes = new Uint8Array(size)
    for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
    return bytes
  }
  const hash = async (bytes) =>
    Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('')
  const download = async (options) => {
    const { blob } = need(await storage.downloadAsset({ to: 'blob', ...options }))
    return new Uint8Array(await blob.arrayBuffer())
  }
  const roundTrip = async (size, options = {}, back = {}) => {
    const bytes = random(size)
    const { cid } = need(await storage.uploadAsset(bytes, { name: `潮 tide ${size}.bin`, ...options }))
    equal(await hash(await download({ assetCid: cid, ...back })), await hash(bytes))
    return { cid, bytes }
  }

  await test('a small file is downloaded as it was uploaded', () => roundTrip(1000))
  await test('a file of several leaves is downloaded as it was uploaded', () => roundTrip(1_500_001))
  await test('a large file comes in parts, resumable, with progress', async () => {
    const bytes = random(9_000_000)
    let highest = 0
    const { cid } = need(
      await storage.uploadAsset(bytes, { name: 'large.bin' }, ({ percent }) => {
        highest = Math.max(highest, percent)
      }),
    )
    equal(highest, 100)
    equal(await hash(await download({ assetCid: cid })), await hash(bytes))
  })
  await test('a file is encrypted before it leaves, and opens with its passphrase only', async () => {
    const secret = { passphrase: 'spring tide 27', workFactor: 10 }
    const { cid } = await roundTrip(300_000, { encrypt: secret }, { decrypt: { passphrase: secret.passphrase } })
    const wrong = await storage.downloadAsset({ assetCid: cid, to: 'blob', decrypt: { passphrase: 'neap tide 27' } })
    equal(wrong.code, 10030)
  })
  await test('an empty file is stored only if the caller says so', async () => {
    equal((await storage.uploadAsset(new Uint8Array(0), { name: 'empty' })).code, 10027)
    const { cid } = need(await storage.uploadAsset(new Uint8Array(0), { name: 'empty', allowEmpty: true }))
    equal((await download({ assetCid: cid })).length, 0)
  })
  await test('a folder keeps its tree, and parts of it are read', async () => {
    const [one, two] = [random(700_000), new TextEncoder().encode('你好')]
    const files = [
      { path: 'holiday/day 1/beach.bin', file: one },
      { path: 'holiday/问候.txt', file: two },
    ]
    const { cid } = need(await storage.uploadAsset(files))
    const part = await download({ assetCid: cid, path: 'day 1/beach.bin' })
    equal(await hash(part), await hash(one))
    const opened = need(await storage.openFile(cid, { path: '问候.txt' }))
    equal(new TextDecoder().decode(need(await opened.read(0, opened.size))), '你好')
  })
  await test('folders of the account are made, listed, renamed and deleted', async () => {
    const { group } = need(await storage.createFolder({ name: 'suite' }))
    need(await storage.renameFolder({ groupId: group.ID, name: '套件' }))
    const names = async () => {
      const { list } = need(await storage.listDirectoryContents({ parent: 0, page: 1, pageSize: 100 }))
      return list.flatMap(({ Group }) => (Group ? [Group.Name] : []))
    }
    equal((await names()).includes('套件'), true)
    need(await storage.deleteFolder({ groupId: group.ID, force: true }))
    equal((await names()).includes('套件'), false)
  })
  await test('a download can be cancelled', async () => {
    const { cid } = need(await storage.uploadAsset(random(3_000_000), { name: 'long.bin' }))
    const stop = new AbortController()
    const running = storage.downloadAsset({ assetCid: cid, to: 'blob', signal: stop.signal })
    stop.abort()
    equal((await running).code, 10028)
  })
  await test('what is wrong is refused before anything is sent, in the language of the caller', async () => {
    equal((await storage.uploadAsset(random(10), { name: 'a', encryption: true })).code, 10025)
    equal((await storage.downloadAsset({ assetCid: '' })).code, 1006)
    const chinese = sdk.createStorage({ url, token, lang: 'cn' })
    equal(/[\u4e00-\u9fff]/.test((await chinese.createFolder({ name: '' })).msg), true)
    const stranger = sdk.createStorage({ url, token: 'a.b.c' })
    equal((await stranger.listDirectoryContents({ parent: 0, page: 1, pageSize: 10 })).code, 401)
  })
  return results
}
