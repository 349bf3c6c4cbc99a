import type { Lang } from '@tidenet/contract'
import { getAddress } from 'viem'
import type { WalletAddress } from './proofs.ts'
import { type Purpose, texts } from './texts.ts'

export interface NonceFacts {
  purpose: Purpose
  /** Undefined: any wallet of the chain. */
  wallet: WalletAddress | undefined
  /** The account's public name; undefined: whoever signs in. */
  account: string | undefined
  nonce: string
  /** Where the person sees the portal, without a trailing slash: wallets compare it with the page that asks. */
  portal: string
  issued: Date
  expires: Date
  lang: Lang
}

/** Part of the message's format; signatures by wallets of people say nothing of a chain. */
const EVM_CHAIN = 1

/** The host, and the port where it is not the usual one, as a wallet compares it with the page that asks. */
export const domainOf = (portal: string): string => new URL(portal).host

const siweAsks = (domain: string) => `${domain} wants you to sign in with your Ethereum account:`

/** Whether a text was made for that place of the portal. */
export const isTextOf = (text: string, domain: string): boolean =>
  [siweAsks(domain), texts.en.asks(domain), texts.cn.asks(domain)].includes(text.split('\n', 1)[0] ?? '')

/** The text that a wallet is asked to sign: EIP-4361 for 0x addresses, lines in the reader's language for the chain's. */
export function nonceText(facts: NonceFacts): string {
  return facts.wallet?.kind === 'evm' ? siweText(facts, facts.wallet.address) : plainText(facts)
}

function plainText({ purpose, wallet, account, nonce, portal, issued, expires, lang }: NonceFacts): string {
  const say = texts[lang]
  const domain = domainOf(portal)
  const colon = lang === 'cn' ? '：' : ': '
  const lines: [string, string | undefined][] = [
    [say.purpose, say.purposes[purpose]],
    [say.address, wallet?.address],
    [say.account, account],
    [say.nonce, nonce],
    [say.issued, issued.toISOString()],
    [say.expires, expires.toISOString()],
  ]
  return [
    say.asks(domain),
    '',
    ...lines.filter(([, value]) => value !== undefined).map((line) => line.join(colon)),
    '',
    say.advice(domain),
  ].join('\n')
}

/** The format allows no letters beyond ASCII in a statement, and wallets read the words around it: English for everybody. */
function siweText({ purpose, account, nonce, portal, issued, expires }: NonceFacts, address: string): string {
  const words = texts.en.purposes[purpose]
  const statement = `Purpose: ${words}${account === undefined ? '' : `, ${account}`}. This costs nothing and moves no coins.`
  return `${siweAsks(domainOf(portal))}
${getAddress(address)}

${statement}

URI: ${portal}
Version: 1
Chain ID: ${EVM_CHAIN}
Nonce: ${nonce}
Issued At: ${issued.toISOString()}
Expiration Time: ${expires.toISOString()}`
}
