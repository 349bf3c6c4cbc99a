import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing'
import { type ChainConfig, readChainConfig } from './config.ts'

/** A data folder with the blocks that an earlier version made under its rules. */
export interface FormerChain {
  /** The caller deletes `config.data`. */
  config: ChainConfig
  /** The wallet of one of the people who signed them. */
  signerOf: (name: string) => Promise<DirectSecp256k1Wallet>
}

/** @param rules `first`, `second` or `third`: the name of the fixture, also in the keys of its people */
export function formerChain(rules: string): FormerChain {
  const keyOf = (name: string) => new Uint8Array(createHash('sha256').update(`${name} of the ${rules} rules`).digest())
  const data = mkdtempSync(join(tmpdir(), `tidenet-${rules}-rules-`))
  copyFileSync(new URL(`../fixtures/${rules}-rules.jsonl`, import.meta.url), join(data, 'blocks.jsonl'))
  writeFileSync(join(data, 'operator.key'), Buffer.from(keyOf('operator')).toString('hex'))
  const config: ChainConfig = {
    ...readChainConfig({ TIDENET_CHAIN_DATA: data, TIDENET_ENV: 'test' }),
    blockMs: 30,
    logLevel: 'silent',
  }
  return { config, signerOf: (name) => DirectSecp256k1Wallet.fromKey(keyOf(name), config.prefix) }
}
