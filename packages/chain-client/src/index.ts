export {
  type Amount,
  factsOf,
  factsOfParts,
  type MessageFacts,
  type OrderFacts,
  type TransactionFacts,
} from './facts.ts'
export { createFees, type Fee, type Fees, type FeesOptions, USUAL_ADJUSTMENT } from './fees.ts'
export {
  ChainPending,
  createOperator,
  executeAny,
  found,
  type Operator,
  type OperatorMessage,
  type OperatorOptions,
  type SignedTransaction,
  type SubmitOptions,
} from './operator.ts'
export {
  BLOCKS_PER_HOUR,
  createOrder,
  extendOrder,
  type OrderMessage,
  orderIn,
  payment,
  type Resources,
  renewOrder,
  updateOrder,
} from './orders.ts'
export {
  type ChainBlock,
  type ChainPort,
  type ChainPortOptions,
  ChainRefusal,
  ChainUnreachable,
  createChainPort,
} from './port.ts'
export { type ChainProblem, problemOf, problemOfResult } from './problems.ts'
export {
  type ChainTransaction,
  type Contracts,
  type Intent,
  sameAddress,
  type Verdict,
  verifyPayment,
} from './verify.ts'
