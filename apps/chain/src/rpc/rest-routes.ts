import { fromBase64, fromUtf8, toHex } from '@cosmjs/encoding'

type Json = Record<string, unknown>

export interface RestRoute {
  /** Parameters have the names of the request's fields. */
  path: string
  /** Of gRPC. */
  method: string
  /** Where the SDK's JSON differs from that of protobuf. */
  map?: (json: Json) => Json
}

const parsed = (base64: unknown): unknown => JSON.parse(fromUtf8(fromBase64(String(base64))))
const hex = (base64: unknown): string => toHex(fromBase64(String(base64))).toUpperCase()
const decimal = (text: unknown): string => `${text}.${'0'.repeat(18)}`
const list = (value: unknown): Json[] => value as Json[]
const withHash = (info: Json): Json => ({ ...info, data_hash: hex(info.data_hash) })
const withDecimals =
  (...names: string[]) =>
  (json: Json): Json => {
    const params = json.params as Json
    return { params: { ...params, ...Object.fromEntries(names.map((name) => [name, decimal(params[name])])) } }
  }

/** Paths below a prefix, with the method of a service and what differs. */
const routes = (
  prefix: string,
  service: string,
  paths: Readonly<Record<string, string | [method: string, map: RestRoute['map']]>>,
): RestRoute[] =>
  Object.entries(paths).map(([path, to]) => {
    const [method, map] = typeof to === 'string' ? [to] : to
    return { path: `${prefix}/${path}`, method: `/${service}/${method}`, ...(map && { map }) }
  })

export const REST_ROUTES: readonly RestRoute[] = [
  ...routes('/cosmos/base/tendermint/v1beta1', 'cosmos.base.tendermint.v1beta1.Service', {
    node_info: 'GetNodeInfo',
    syncing: 'GetSyncing',
    'blocks/latest': 'GetLatestBlock',
    'blocks/:height': 'GetBlockByHeight',
    'validatorsets/latest': 'GetLatestValidatorSet',
    'validatorsets/:height': 'GetValidatorSetByHeight',
  }),
  ...routes('/cosmos/base/node/v1beta1', 'cosmos.base.node.v1beta1.Service', { config: 'Config' }),
  ...routes('/cosmos/auth/v1beta1', 'cosmos.auth.v1beta1.Query', {
    accounts: 'Accounts',
    'accounts/:address': 'Account',
    'account_info/:address': 'AccountInfo',
    params: 'Params',
    module_accounts: 'ModuleAccounts',
    'module_accounts/:name': 'ModuleAccountByName',
    bech32: 'Bech32Prefix',
  }),
  ...routes('/cosmos/bank/v1beta1', 'cosmos.bank.v1beta1.Query', {
    'balances/:address': 'AllBalances',
    'balances/:address/by_denom': 'Balance',
    'spendable_balances/:address': 'SpendableBalances',
    'spendable_balances/:address/by_denom': 'SpendableBalanceByDenom',
    supply: 'TotalSupply',
    'supply/by_denom': 'SupplyOf',
    denoms_metadata: 'DenomsMetadata',
    'denoms_metadata/:denom': 'DenomMetadata',
    params: 'Params',
  }),
  ...routes('/cosmos/staking/v1beta1', 'cosmos.staking.v1beta1.Query', {
    validators: 'Validators',
    'validators/:validatorAddr': 'Validator',
    'validators/:validatorAddr/delegations': 'ValidatorDelegations',
    'delegations/:delegatorAddr': 'DelegatorDelegations',
    'delegators/:delegatorAddr/unbonding_delegations': 'DelegatorUnbondingDelegations',
    'delegators/:delegatorAddr/redelegations': 'Redelegations',
    'delegators/:delegatorAddr/validators': 'DelegatorValidators',
    pool: 'Pool',
    params: ['Params', withDecimals('min_commission_rate')],
  }),
  ...routes('/cosmos/distribution/v1beta1', 'cosmos.distribution.v1beta1.Query', {
    params: ['Params', withDecimals('community_tax', 'base_proposer_reward', 'bonus_proposer_reward')],
    community_pool: 'CommunityPool',
    'delegators/:delegatorAddress/rewards': 'DelegationTotalRewards',
    'delegators/:delegatorAddress/validators': 'DelegatorValidators',
    'delegators/:delegatorAddress/withdraw_address': 'DelegatorWithdrawAddress',
  }),
  ...routes('/cosmos/gov/v1beta1', 'cosmos.gov.v1beta1.Query', {
    proposals: 'Proposals',
    'proposals/:proposalId': 'Proposal',
  }),
  ...routes('/cosmos/feegrant/v1beta1', 'cosmos.feegrant.v1beta1.Query', {
    'allowances/:grantee': 'Allowances',
    'issued/:granter': 'AllowancesByGranter',
  }),
  ...routes('/cosmos/authz/v1beta1', 'cosmos.authz.v1beta1.Query', {
    'grants/granter/:granter': 'GranterGrants',
    'grants/grantee/:grantee': 'GranteeGrants',
  }),
  ...routes('/cosmos/tx/v1beta1', 'cosmos.tx.v1beta1.Service', {
    txs: ['GetTxsEvent', (json) => ({ pagination: null, ...json })],
    'txs/:hash': 'GetTx',
    'txs/block/:height': 'GetBlockWithTxs',
  }),
  ...routes('/cosmwasm/wasm/v1', 'cosmwasm.wasm.v1.Query', {
    code: ['Codes', (json) => ({ ...json, code_infos: list(json.code_infos).map(withHash) })],
    'code/:codeId': ['Code', (json) => ({ ...json, code_info: withHash(json.code_info as Json) })],
    'code-info/:codeId': ['CodeInfo', (json) => ({ ...json, checksum: hex(json.checksum) })],
    'code/:codeId/contracts': 'ContractsByCode',
    'codes/pinned': 'PinnedCodes',
    'codes/params': 'Params',
    'contract/:address': 'ContractInfo',
    'contract/:address/history': [
      'ContractHistory',
      (json) => ({ ...json, entries: list(json.entries).map((entry) => ({ ...entry, msg: parsed(entry.msg) })) }),
    ],
    'contract/:address/state': [
      'AllContractState',
      (json) => ({ ...json, models: list(json.models).map((model) => ({ ...model, key: hex(model.key) })) }),
    ],
    'contract/:address/raw/:queryData': 'RawContractState',
    'contract/:address/smart/:queryData': ['SmartContractState', (json) => ({ data: parsed(json.data) })],
    'contracts/creator/:creatorAddress': 'ContractsByCreator',
  }),
]
