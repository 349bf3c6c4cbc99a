// Orders on the development chain: from the signature of a wallet until the contract returns the order; and what WebAssembly costs there,
// compared with the contracts in TypeScript that replay older blocks, and with the signature of a transaction.
import { createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChainPort, createOperator, createOrder, payment } from '@tidenet/chain-client'
import { startChain } from '@tidenet/testnet'
import { begin, codes, ordersAddress, tokenAddress } from '../apps/chain/dist/genesis.js'
import { contractAddress } from '../apps/chain/dist/state/addresses.js'
import { createContracts, RULES, toJson } from '../apps/chain/dist/state/contracts.js'
import { createGasMeter, ENDLESS } from '../apps/chain/dist/state/gas.js'
import { createStore } from '../apps/chain/dist/state/store.js'
import { cpuOf, median, pause, report, sample, timed } from './measure.mjs'

const WALLETS = 64
const EACH = 6
const BLOCK_MS = 100
const ROUNDS = 5
const CALLS = 400
const CHAIN_ID = 'tidenet-devnet-1'
const MACHINE = { cpu: 1, memory: 1, disk: 40 }
const HOURS = 2

const folder = mkdtempSync(join(tmpdir(), 'tidenet-bench-chain-'))
const newId = () => randomBytes(8).toString('hex')

/** CPU ms of one call, without that of warming up. */
function cpuOfCall(work) {
  for (let each = 0; each < CALLS; each++) work()
  const start = process.cpuUsage()
  for (let each = 0; each < CALLS; each++) work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000 / CALLS
}

/** Executes payments of new orders on a chain of these rules, as blocks do, without signatures. */
function payer(rules) {
  const operator = contractAddress({ prefix: 'tide' }, 9, 9)
  const genesis = {
    ...(rules > 1 && { rules }),
    chainId: CHAIN_ID,
    prefix: 'tide',
    denom: 'utide',
    minGasPrice: '0',
    blockSeconds: 6,
    time: Date.now(),
    operator,
    treasury: operator,
    token: { name: 'Coin', symbol: 'COIN', decimals: 2, supply: '100000000000000' },
    coins: '1',
  }
  const contracts = createContracts(genesis, codes)
  const store = createStore()
  begin(genesis, contracts, store)
  const at = { height: 1, time: genesis.time + 6000, rules }
  const contract = tokenAddress(genesis)
  return () => {
    const message = toJson(payment(ordersAddress(genesis), 140n, createOrder(newId(), MACHINE, HOURS)))
    store.atomically(() =>
      contracts.execute(store, at, createGasMeter(ENDLESS), { sender: operator, contract, message, funds: [] }),
    )
  }
}

function verifier() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  const document = randomBytes(600)
  const signature = sign('sha256', document, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const key = createPublicKey({ key: publicKey.export({ format: 'jwk' }), format: 'jwk' })
  return () => verify('sha256', document, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

async function fundedWallets(chain, port) {
  const walletOf = (privateKey) =>
    createOperator({ port, privateKey, chainId: CHAIN_ID, prefix: 'tide', denom: 'utide' })
  const operator = walletOf(Buffer.from(readFileSync(chain.keyFile, 'utf8').trim(), 'hex'))
  const wallets = Array.from({ length: WALLETS }, () => walletOf(randomBytes(32)))
  await operator.execute([{ coins: wallets.map(({ address }) => ({ to: address, amount: 100_000_000n })) }])
  const paying = ({ address }) => ({
    execute: { contract: chain.token, msg: { transfer: { recipient: address, amount: '100000000' } } },
  })
  for (let from = 0; from < WALLETS; from += 16) await operator.execute(wallets.slice(from, from + 16).map(paying))
  return wallets
}

/** Every wallet pays orders, one after the other; ends when the contract returns them all. */
async function buy(chain, port, wallets) {
  const before = cpuOf([chain.process.pid])
  const { ms } = await timed(() =>
    Promise.all(
      wallets.map(async (wallet) => {
        const ids = Array.from({ length: EACH }, newId)
        for (const id of ids)
          await wallet.submit([
            { execute: { contract: chain.token, msg: payment(chain.orders, 140n, createOrder(id, MACHINE, HOURS)) } },
          ])
        for (;;) {
          const found = await port.query(chain.orders, { orders: { order_ids: ids } })
          if (found.length === EACH) return
          await pause(50)
        }
      }),
    ),
  )
  const count = wallets.length * EACH
  return { rate: count / (ms / 1000), cpu: (cpuOf([chain.process.pid]) - before) / count }
}

let chain
try {
  const works = { wasm: payer(RULES), former: payer(1), signature: verifier() }
  const cpu = { wasm: [], former: [], signature: [] }
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, work] of Object.entries(works)) cpu[name].push(await sample(() => cpuOfCall(work)))
  const ratio = (one, other) => median(one.map((ms, round) => ms / other[round]))
  const ms = (list) => median(list).toFixed(3)
  report('paying an order in wasm, CPU time of two contract calls', {
    measured: ms(cpu.wasm),
    against: `${ms(cpu.former)} of the same in the former TypeScript`,
    unit: 'ms',
    value: ratio(cpu.wasm, cpu.former),
  })
  report('the same compared with the signature of its transaction', {
    measured: ms(cpu.wasm),
    against: `${ms(cpu.signature)} of a verification of secp256k1`,
    unit: 'ms',
    value: ratio(cpu.wasm, cpu.signature),
    goal: { below: 5 },
  })

  chain = await startChain({ data: join(folder, 'chain'), blockMs: BLOCK_MS, env: { TIDENET_LOG_LEVEL: 'error' } })
  const port = createChainPort({ urls: [chain.url], chainId: CHAIN_ID })
  const wallets = await fundedWallets(chain, port)
  const bought = []
  for (let round = 0; round <= ROUNDS; round++) {
    const each = await sample(() => buy(chain, port, wallets))
    console.log(`round ${round}: ${each.rate.toFixed(0)} orders/s, ${each.cpu.toFixed(2)} ms of the chain's CPU each`)
    // The first round is for warm-up.
    if (round > 0) bought.push(each)
  }
  const rate = median(bought.map((each) => each.rate))
  const chainMs = median(bought.map((each) => each.cpu))
  report('orders on the development chain, from the signature until the contract returns them', {
    measured: rate.toFixed(0),
    against: `an absolute bound; ${WALLETS} wallets in this process; ${chainMs.toFixed(1)} ms of the chain's CPU each`,
    unit: 'orders/s',
    value: rate,
    goal: { atLeast: 60 },
  })
} finally {
  await chain?.process.stop()
  rmSync(folder, { recursive: true, force: true })
}
