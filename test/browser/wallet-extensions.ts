import { rawSecp256k1PubkeyToRawAddress, type StdSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { Random, Secp256k1, sha256 } from '@cosmjs/crypto'
import { toBech32 } from '@cosmjs/encoding'
import type { BrowserContext } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A request to a wallet, as its user saw it. */
export interface WalletRequest {
  /** The signed text; of a transaction, its sign document. */
  what: 'connect' | 'suggest' | 'text' | 'transaction'
  text: string
}

/** A wallet of the chain with Keplr's interface; the test holds its keys. */
export interface CosmosExtension {
  /** Addresses of its accounts, the selected one first. */
  address: string
  others: string[]
  approve: boolean
  /** Whether the chain was added to the wallet. */
  knowsChain: boolean
  asked: WalletRequest[]
  /** Selects the next account. */
  next: () => void
  /** While set, signature requests fail with this message. */
  says: string
  /** While set, its user replaces the remarks of transactions by this. */
  remarks: string | undefined
  /** The key of the selected account. */
  readonly key: Uint8Array
  /** Signs a text according to ADR-36, without a page. */
  sign: (text: string) => { sign: string; publicKey: string }
}

/** A wallet of EVM chains, announced according to EIP-6963. */
export interface EvmExtension {
  address: string
  approve: boolean
  chainId: string
  asked: WalletRequest[]
}

export interface InstalledWallets {
  cosmos: CosmosExtension
  evm: EvmExtension
  /** Notifies the pages that another account was selected. */
  changeCosmosAccount: () => Promise<void>
  changeEvmChain: (chainId: string) => Promise<void>
}

interface Options {
  /** Which extensions the browser has; both by default. */
  kinds?: readonly ('cosmos' | 'evm')[]
  prefix?: string
  /** The chain was not added to Keplr before. */
  unknownChain?: boolean
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

function account(prefix: string) {
  const key = Random.getBytes(32)
  const publicKey = Secp256k1.compressPubkey(Secp256k1.makeKeypair(key).pubkey)
  return { key, publicKey, address: toBech32(prefix, rawSecp256k1PubkeyToRawAddress(publicKey)) }
}

/** An ADR-36 sign document: a transaction that no chain accepts. */
const textDocument = (signer: string, text: string): StdSignDoc => ({
  chain_id: '',
  account_number: '0',
  sequence: '0',
  fee: { gas: '0', amount: [] },
  msgs: [{ type: 'sign/MsgSignData', value: { signer, data: Buffer.from(text).toString('base64') } }],
  memo: '',
})

const signed = (document: StdSignDoc, key: Uint8Array): string =>
  base64(
    Secp256k1.createSignature(sha256(serializeSignDoc(document)), key)
      .toFixedLength()
      .slice(0, 64),
  )

type Answer = { ok: unknown } | { error: { message: string; code?: number } }

/**
 * Installs wallets in every page that the browser opens from now on. They sign with real keys; keys and decisions stay in the test's
 * process.
 */
export async function installWallets(context: BrowserContext, options: Options = {}): Promise<InstalledWallets> {
  const { kinds = ['cosmos', 'evm'], prefix = 'tide', unknownChain = false } = options
  const accounts = [account(prefix), account(prefix)]
  const evmAccount = privateKeyToAccount(generatePrivateKey())
  const cosmos: CosmosExtension = {
    get address() {
      return accounts[0]!.address
    },
    get others() {
      return accounts.slice(1).map(({ address }) => address)
    },
    approve: true,
    knowsChain: !unknownChain,
    asked: [],
    next: () => accounts.push(accounts.shift()!),
    says: '',
    remarks: undefined,
    get key() {
      return accounts[0]!.key
    },
    sign: (text) => {
      const [{ key, publicKey, address }] = accounts as [(typeof accounts)[0]]
      return { sign: signed(textDocument(address, text), key), publicKey: base64(publicKey) }
    },
  }
  const evm: EvmExtension = { address: evmAccount.address, approve: true, chainId: '0x1', asked: [] }
  const rejected = { error: { message: 'Request rejected' } }
  const rejectedEvm = { error: { message: 'User rejected the request.', code: 4001 } }

  const askCosmos = (method: string, params: string[]): Answer => {
    const [chosen] = accounts
    const { key, publicKey, address } = chosen!
    if (method === 'suggest') {
      cosmos.asked.push({ what: 'suggest', text: params[0] ?? '' })
      if (!cosmos.approve) return rejected
      cosmos.knowsChain = true
      return { ok: null }
    }
    if (!cosmos.knowsChain) return { error: { message: `There is no chain info for ${params[0]}` } }
    if (method === 'enable') {
      cosmos.asked.push({ what: 'connect', text: params[0] ?? '' })
      return cosmos.approve ? { ok: null } : rejected
    }
    if (method === 'key') return { ok: { name: 'Harbour', address, publicKey: base64(publicKey) } }
    const [, signer = '', text = ''] = params
    if (method === 'amino') {
      const requested = JSON.parse(text) as StdSignDoc
      cosmos.asked.push({ what: 'transaction', text: Buffer.from(serializeSignDoc(requested)).toString() })
      if (!cosmos.approve) return rejected
      if (cosmos.says) return { error: { message: cosmos.says } }
      if (signer !== address) return { error: { message: 'Signer mismatched' } }
      const document = { ...requested, memo: cosmos.remarks ?? requested.memo }
      return {
        ok: { signed: JSON.stringify(document), signature: signed(document, key), publicKey: base64(publicKey) },
      }
    }
    cosmos.asked.push({ what: 'text', text })
    if (!cosmos.approve) return rejected
    if (signer !== address) return { error: { message: 'Signer mismatched' } }
    return { ok: { signature: signed(textDocument(signer, text), key), publicKey: base64(publicKey) } }
  }

  const askEvm = async (method: string, params: unknown[]): Promise<Answer> => {
    if (method === 'eth_chainId') return { ok: evm.chainId }
    if (method === 'eth_accounts') return { ok: [evm.address] }
    if (method === 'eth_requestAccounts') {
      evm.asked.push({ what: 'connect', text: '' })
      return evm.approve ? { ok: [evm.address] } : rejectedEvm
    }
    if (method !== 'personal_sign') return { error: { message: `${method} is not supported`, code: 4200 } }
    const [data = '', from = ''] = params as string[]
    const text = Buffer.from(data.slice(2), 'hex').toString()
    if (`0x${hex(Buffer.from(text))}` !== data) return { error: { message: 'not hex of UTF-8', code: -32602 } }
    evm.asked.push({ what: 'text', text })
    if (!evm.approve) return rejectedEvm
    if (from.toLowerCase() !== evm.address.toLowerCase()) return { error: { message: 'unknown account', code: 4100 } }
    return { ok: await evmAccount.signMessage({ message: text }) }
  }

  await context.exposeBinding('walletOfTheTest', (_, kind: string, method: string, params: unknown[]) =>
    kind === 'cosmos' ? askCosmos(method, params as string[]) : askEvm(method, params),
  )
  // The compiler's helper for function names does not exist in pages.
  await context.addInitScript('globalThis.__name ??= (f) => f')
  await context.addInitScript(inPage, kinds)

  const everywhere = async (act: (detail: string) => void, detail: string) => {
    for (const page of context.pages()) await page.evaluate(act, detail)
  }
  return {
    cosmos,
    evm,
    changeCosmosAccount: async () => {
      cosmos.next()
      await everywhere(() => window.dispatchEvent(new Event('keplr_keystorechange')), '')
    },
    changeEvmChain: async (chainId) => {
      evm.chainId = chainId
      await everywhere((id) => {
        const { provider } = window as unknown as { provider: { emit: (event: string, value: string) => void } }
        provider.emit('chainChanged', id)
      }, chainId)
    },
  }
}

/** Runs in pages: the wallets' interfaces. */
function inPage(kinds: readonly ('cosmos' | 'evm')[]): void {
  const ask = async (kind: string, method: string, params: unknown[]) => {
    const { walletOfTheTest } = window as unknown as {
      walletOfTheTest: (kind: string, method: string, params: unknown[]) => Promise<Answer>
    }
    const answer = await walletOfTheTest(kind, method, params)
    if ('ok' in answer) return answer.ok as never
    // Errors of exposed functions lose their code.
    throw Object.assign(new Error(answer.error.message), answer.error)
  }
  const bytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  if (kinds.includes('cosmos')) {
    const key = async (chain: string) => {
      const { name, address, publicKey } = await (ask('cosmos', 'key', [chain]) as Promise<Record<string, string>>)
      return { name, bech32Address: address, pubKey: bytes(publicKey ?? ''), isNanoLedger: false }
    }
    Object.assign(window, {
      keplr: {
        enable: (chain: string) => ask('cosmos', 'enable', [chain]),
        getKey: key,
        experimentalSuggestChain: (info: unknown) => ask('cosmos', 'suggest', [JSON.stringify(info)]),
        signArbitrary: async (chain: string, signer: string, text: string) => {
          const signed = await (ask('cosmos', 'sign', [chain, signer, text]) as Promise<Record<string, string>>)
          return {
            signature: signed.signature,
            pub_key: { type: 'tendermint/PubKeySecp256k1', value: signed.publicKey },
          }
        },
        getOfflineSignerOnlyAmino: (chain: string) => ({
          getAccounts: async () => {
            const { bech32Address: address, pubKey: pubkey } = await key(chain)
            return [{ algo: 'secp256k1', address, pubkey }]
          },
          signAmino: async (signer: string, document: unknown) => {
            const text = JSON.stringify(document)
            const answer = await (ask('cosmos', 'amino', [chain, signer, text]) as Promise<Record<string, string>>)
            return {
              signed: JSON.parse(answer.signed ?? ''),
              signature: {
                signature: answer.signature,
                pub_key: { type: 'tendermint/PubKeySecp256k1', value: answer.publicKey },
              },
            }
          },
        }),
      },
    })
  }
  if (kinds.includes('evm')) {
    const listeners: [string, (value: unknown) => void][] = []
    const provider = {
      request: ({ method, params = [] }: { method: string; params?: unknown[] }) => ask('evm', method, params),
      on: (event: string, listener: (value: unknown) => void) => void listeners.push([event, listener]),
      removeListener: (event: string, listener: (value: unknown) => void) => {
        const at = listeners.findIndex(([name, each]) => name === event && each === listener)
        if (at >= 0) listeners.splice(at, 1)
      },
      emit: (event: string, value: unknown) => {
        for (const [name, listener] of [...listeners]) if (name === event) listener(value)
      },
    }
    Object.assign(window, { provider })
    const icon =
      'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" rx="2" fill="%23c2410c"/></svg>'
    const info = { uuid: '1f0e3c62-4e0f-4f0e-9c2b-0e4a2f3b1c5d', name: 'Lighthouse', icon, rdns: 'example.lighthouse' }
    const announce = () =>
      window.dispatchEvent(
        new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: Object.freeze(info), provider }) }),
      )
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }
}
