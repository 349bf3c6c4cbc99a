// The sources of the contracts and what was built from them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { files, root } from '../build.mjs'

export const folder = join(root, 'contracts')
/** Where the development chain reads the wasm. */
export const output = join(root, 'apps/chain/wasm')
export const record = join(output, 'build.json')
/** Wasm by the name of its package. */
export const CONTRACTS = { 'tidenet-orders': 'orders.wasm', 'tidenet-token': 'token.wasm' }

/** Hashes of wasm that blocks were executed with and that nothing builds any more: replays need every byte. */
export const FORMER = { 'orders-1.wasm': '57735119f06cfed6ad89d59372a4108ec6fec0dfff78b6c3dfc98799ea4314cd' }

export const sha256 = (data) => createHash('sha256').update(data).digest('hex')

/** SHA-256 of the names and bytes of everything that the wasm is built from. */
export function hashSources() {
  const isSource = (path) => /^(Cargo\.(toml|lock)|[^/]+\/(Cargo\.toml|src\/.*\.rs))$/.test(path)
  const paths = files(folder)
    .map((path) => path.slice(folder.length + 1).replaceAll('\\', '/'))
    .filter(isSource)
    .sort()
  const hash = createHash('sha256')
  for (const path of paths) hash.update(`${path}\0${sha256(readFileSync(join(folder, path)))}\n`)
  return hash.digest('hex')
}
