import * as authz from 'cosmjs-types/cosmos/authz/v1beta1/query'
import * as distribution from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import * as feegrant from 'cosmjs-types/cosmos/feegrant/v1beta1/query'
import * as gov from 'cosmjs-types/cosmos/gov/v1beta1/query'
import * as mint from 'cosmjs-types/cosmos/mint/v1beta1/query'
import * as slashing from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import * as staking from 'cosmjs-types/cosmos/staking/v1beta1/query'
import type { DeepPartial } from 'cosmjs-types/helpers'
import { readAddress } from '../../state/addresses.ts'
import { type Codec, notFound, type Queries, query } from './query.ts'

/**
 * What wallets and clients ask of every chain, but this one does not have: staking, rewards, proposals, inflation, and grants. Lists are
 * empty, single entries are not found, and parameters say that nothing is given.
 */

/** @param owner the field with the address of the account that is asked about */
const nothing = <I, O>(request: Codec<I>, response: Codec<O>, owner?: keyof I) =>
  query(request, response, (chain, asked) => {
    if (owner) readAddress(chain.genesis, String(asked[owner]))
    // Answers without pages ignore it.
    return { pagination: {} } as DeepPartial<O>
  })

const missing = <I, O>(request: Codec<I>, response: Codec<O>, what: string) =>
  query(request, response, () => {
    throw notFound(what)
  })

/** A decimal, as protobuf texts and bytes of the SDK hold it. */
const NONE = '0'
const NONE_BYTES = new TextEncoder().encode(NONE)

const stakingQueries: Queries = {
  Validators: nothing(staking.QueryValidatorsRequest, staking.QueryValidatorsResponse),
  Validator: missing(staking.QueryValidatorRequest, staking.QueryValidatorResponse, 'validator'),
  ValidatorDelegations: nothing(staking.QueryValidatorDelegationsRequest, staking.QueryValidatorDelegationsResponse),
  ValidatorUnbondingDelegations: nothing(
    staking.QueryValidatorUnbondingDelegationsRequest,
    staking.QueryValidatorUnbondingDelegationsResponse,
  ),
  Delegation: missing(staking.QueryDelegationRequest, staking.QueryDelegationResponse, 'delegation'),
  UnbondingDelegation: missing(
    staking.QueryUnbondingDelegationRequest,
    staking.QueryUnbondingDelegationResponse,
    'unbonding delegation',
  ),
  DelegatorDelegations: nothing(
    staking.QueryDelegatorDelegationsRequest,
    staking.QueryDelegatorDelegationsResponse,
    'delegatorAddr',
  ),
  DelegatorUnbondingDelegations: nothing(
    staking.QueryDelegatorUnbondingDelegationsRequest,
    staking.QueryDelegatorUnbondingDelegationsResponse,
    'delegatorAddr',
  ),
  Redelegations: nothing(staking.QueryRedelegationsRequest, staking.QueryRedelegationsResponse, 'delegatorAddr'),
  DelegatorValidators: nothing(
    staking.QueryDelegatorValidatorsRequest,
    staking.QueryDelegatorValidatorsResponse,
    'delegatorAddr',
  ),
  DelegatorValidator: missing(
    staking.QueryDelegatorValidatorRequest,
    staking.QueryDelegatorValidatorResponse,
    'validator',
  ),
  HistoricalInfo: missing(staking.QueryHistoricalInfoRequest, staking.QueryHistoricalInfoResponse, 'historical info'),
  Pool: query(staking.QueryPoolRequest, staking.QueryPoolResponse, () => ({
    pool: { notBondedTokens: NONE, bondedTokens: NONE },
  })),
  Params: query(staking.QueryParamsRequest, staking.QueryParamsResponse, ({ genesis }) => ({
    params: { unbondingTime: {}, bondDenom: genesis.denom, minCommissionRate: NONE },
  })),
}

const distributionQueries: Queries = {
  Params: query(distribution.QueryParamsRequest, distribution.QueryParamsResponse, () => ({
    params: { communityTax: NONE, baseProposerReward: NONE, bonusProposerReward: NONE },
  })),
  CommunityPool: nothing(distribution.QueryCommunityPoolRequest, distribution.QueryCommunityPoolResponse),
  DelegationRewards: nothing(
    distribution.QueryDelegationRewardsRequest,
    distribution.QueryDelegationRewardsResponse,
    'delegatorAddress',
  ),
  DelegationTotalRewards: nothing(
    distribution.QueryDelegationTotalRewardsRequest,
    distribution.QueryDelegationTotalRewardsResponse,
    'delegatorAddress',
  ),
  DelegatorValidators: nothing(
    distribution.QueryDelegatorValidatorsRequest,
    distribution.QueryDelegatorValidatorsResponse,
    'delegatorAddress',
  ),
  DelegatorWithdrawAddress: query(
    distribution.QueryDelegatorWithdrawAddressRequest,
    distribution.QueryDelegatorWithdrawAddressResponse,
    ({ genesis }, { delegatorAddress }) => ({ withdrawAddress: readAddress(genesis, delegatorAddress) }),
  ),
  ValidatorCommission: nothing(
    distribution.QueryValidatorCommissionRequest,
    distribution.QueryValidatorCommissionResponse,
  ),
  ValidatorOutstandingRewards: nothing(
    distribution.QueryValidatorOutstandingRewardsRequest,
    distribution.QueryValidatorOutstandingRewardsResponse,
  ),
  ValidatorSlashes: nothing(distribution.QueryValidatorSlashesRequest, distribution.QueryValidatorSlashesResponse),
}

const govQueries: Queries = {
  Proposals: nothing(gov.QueryProposalsRequest, gov.QueryProposalsResponse),
  Proposal: missing(gov.QueryProposalRequest, gov.QueryProposalResponse, 'proposal'),
  Votes: nothing(gov.QueryVotesRequest, gov.QueryVotesResponse),
  Vote: missing(gov.QueryVoteRequest, gov.QueryVoteResponse, 'vote'),
  Deposits: nothing(gov.QueryDepositsRequest, gov.QueryDepositsResponse),
  Deposit: missing(gov.QueryDepositRequest, gov.QueryDepositResponse, 'deposit'),
  Params: query(gov.QueryParamsRequest, gov.QueryParamsResponse, () => ({
    votingParams: { votingPeriod: {} },
    depositParams: { minDeposit: [], maxDepositPeriod: {} },
    tallyParams: { quorum: NONE_BYTES, threshold: NONE_BYTES, vetoThreshold: NONE_BYTES },
  })),
  TallyResult: missing(gov.QueryTallyResultRequest, gov.QueryTallyResultResponse, 'proposal'),
}

const mintQueries: Queries = {
  Params: query(mint.QueryParamsRequest, mint.QueryParamsResponse, ({ genesis }) => ({
    params: {
      mintDenom: genesis.denom,
      inflationRateChange: NONE,
      inflationMax: NONE,
      inflationMin: NONE,
      goalBonded: NONE,
      blocksPerYear: BigInt(Math.round((365 * 24 * 3600) / genesis.blockSeconds)),
    },
  })),
  Inflation: query(mint.QueryInflationRequest, mint.QueryInflationResponse, () => ({ inflation: NONE_BYTES })),
  AnnualProvisions: query(mint.QueryAnnualProvisionsRequest, mint.QueryAnnualProvisionsResponse, () => ({
    annualProvisions: NONE_BYTES,
  })),
}

const slashingQueries: Queries = {
  Params: query(slashing.QueryParamsRequest, slashing.QueryParamsResponse, () => ({
    params: {
      minSignedPerWindow: NONE_BYTES,
      downtimeJailDuration: {},
      slashFractionDoubleSign: NONE_BYTES,
      slashFractionDowntime: NONE_BYTES,
    },
  })),
  SigningInfos: nothing(slashing.QuerySigningInfosRequest, slashing.QuerySigningInfosResponse),
  SigningInfo: missing(slashing.QuerySigningInfoRequest, slashing.QuerySigningInfoResponse, 'signing info'),
}

const feegrantQueries: Queries = {
  Allowances: nothing(feegrant.QueryAllowancesRequest, feegrant.QueryAllowancesResponse, 'grantee'),
  AllowancesByGranter: nothing(
    feegrant.QueryAllowancesByGranterRequest,
    feegrant.QueryAllowancesByGranterResponse,
    'granter',
  ),
  Allowance: missing(feegrant.QueryAllowanceRequest, feegrant.QueryAllowanceResponse, 'fee allowance'),
}

const authzQueries: Queries = {
  Grants: nothing(authz.QueryGrantsRequest, authz.QueryGrantsResponse, 'granter'),
  GranterGrants: nothing(authz.QueryGranterGrantsRequest, authz.QueryGranterGrantsResponse, 'granter'),
  GranteeGrants: nothing(authz.QueryGranteeGrantsRequest, authz.QueryGranteeGrantsResponse, 'grantee'),
}

const MODULES: Readonly<Record<string, Queries>> = {
  staking: stakingQueries,
  distribution: distributionQueries,
  gov: govQueries,
  mint: mintQueries,
  slashing: slashingQueries,
  feegrant: feegrantQueries,
  authz: authzQueries,
}

export const absentQueries: Queries = Object.fromEntries(
  Object.entries(MODULES).flatMap(([module, queries]) =>
    Object.entries(queries).map(([name, answer]) => [`/cosmos.${module}.v1beta1.Query/${name}`, answer]),
  ),
)
