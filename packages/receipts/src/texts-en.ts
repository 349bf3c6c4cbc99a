import type { ReceiptKind } from './claims.ts'
import type { RelationKind } from './compare.ts'
import type { FactName } from './facts.ts'
import type { CheckName, Level, Reasons, Verification } from './verify.ts'

/** What checks say, on the command line and in the portal. Each is loaded in one language. */
export interface ReceiptTexts {
  results: Record<Verification['result'], string>
  passed: Record<CheckName, string>
  /** Before the list of what is proven. */
  proven: string
  /** @param chain id of the chain in the file */
  levels: Record<Level, (chain: string) => string>
  reasons: { [N in CheckName]: Record<Reasons[N], string> }
  kinds: Record<ReceiptKind, string>
  facts: Record<FactName, string>
  words: Record<string, string>
  relations: Record<RelationKind, string>
  /** What a valid receipt does not prove. */
  limits: readonly string[]
}

export const receiptTexts: ReceiptTexts = {
  results: {
    valid: 'This receipt is genuine.',
    unknown_network: 'The receipt is intact, but it is not known which network issued it.',
    invalid: 'This receipt is not valid.',
  },
  passed: {
    file: 'The file is complete and can be read in one way only.',
    network: 'The key is that of the expected network.',
    signature: 'The key signed this receipt, and nothing was changed since.',
    claims: 'The statement is complete for its kind.',
    index: 'Receipt and proof name the same place in the log.',
    reader: 'Whoever downloaded signed how many bytes arrived.',
    node: 'The node signed how many bytes it sent, and its ID follows from its key.',
    checkpoint: 'The same key signed size and root of the log.',
    inclusion: 'The receipt is in the log.',
    anchor: 'An address of the operators signed a transaction with this checkpoint.',
    block: 'The chain that you named contains the transaction, in the block that the file names.',
  },
  proven: 'Proven',
  levels: {
    signed: () => 'signed by the network',
    logged: () => 'in the log',
    anchored: () => 'anchored by the operators’ address (checked offline)',
    on_chain: (chain) => `seen on the chain ${chain}`,
  },
  reasons: {
    file: {
      size: 'The file is larger than 64 KiB. Receipt files are much smaller.',
      text: 'The file is not text in UTF-8.',
      json: 'The file is not JSON, or it is cut off or followed by something else.',
      duplicate_key: 'The file contains a key twice, so it could be read in two ways.',
      number: 'The file contains a number that is not a whole number in digits.',
      version: 'The file has a version that this program does not know. Update it.',
      format: 'The file is not a receipt file.',
    },
    network: {
      foreign: 'The receipt is of another network: its key is not the expected one.',
      validity: 'The key of the network was not valid at the time at which the receipt says it was issued.',
      no_key: 'The expected key is not known, so anybody could have made this file.',
    },
    signature: {
      jws: 'The receipt itself is damaged or cut off.',
      header: 'The header is not that of a receipt of this key. It was signed by another key, or changed.',
      signature: 'The signature is wrong: the receipt was changed, or another key signed it.',
    },
    claims: {
      claims: 'The statement is not one of a known kind: something is missing, unknown, or does not add up.',
      no_receipt: 'The statement was not checked, because the receipt cannot be read.',
    },
    index: {
      index: 'The receipt names another place in the log than the proof.',
      no_claims: 'The place was not checked, because the statement cannot be read.',
    },
    reader: { signature: 'The signature of the reader does not match transfer, node, content and bytes.' },
    node: {
      node_id: 'The node ID does not follow from the key of the node, so another key signed.',
      signature: 'The signature of the node does not match transfer, content and bytes.',
    },
    checkpoint: {
      note: 'The checkpoint is damaged or not one of a Tidenet log.',
      origin: 'The checkpoint is of another log than the receipt.',
      unsigned: 'The checkpoint is not signed by the key of this receipt.',
      signature: 'The signature of the checkpoint is wrong.',
    },
    inclusion: {
      size: 'The proof is for another size of the log than the checkpoint.',
      proof: 'The proof has too few or too many hashes.',
      root: 'The proof does not lead to the checkpoint: this receipt is not in the log at this place.',
      no_checkpoint: 'The log was not checked, because the checkpoint cannot be read.',
    },
    anchor: {
      no_anchor: 'The log was not anchored on the chain yet when the file was made. Save the receipt again later.',
      no_checkpoint: 'The anchor was not checked, because the checkpoint cannot be read.',
      transaction: 'The transaction is damaged.',
      hash: 'The transaction does not have the hash that the file names.',
      memo: 'The transaction does not contain this checkpoint.',
      signature: 'The signature of the transaction is wrong.',
      chain: 'The transaction is for another chain than that of the operators.',
      operator: 'The transaction was not signed by an address of the operators of the network.',
      no_operator:
        'A transaction contains this checkpoint, but the address of the operators is not known, so anybody could have signed it.',
    },
    block: {
      absent: 'The chain that you named does not contain the transaction.',
      height: 'The transaction is in another block than the file says.',
      not_asked: 'No chain was asked whether a block contains the transaction.',
      other_chain: 'The chain that you named is another one than that of the anchor, so it was not asked.',
      pruned: 'The node of the chain no longer has blocks of that time.',
      unreachable: 'The chain that you named does not answer, or its node has no index of transactions.',
    },
  },
  kinds: {
    upload: 'Upload',
    download: 'Download',
    node_hour: 'An hour of a node',
    order: 'Payment of an order',
    refund: 'Refund of an order',
    outage: 'Outage of an order',
    claim: 'Payout',
    earnings: 'Earnings of a day',
  },
  facts: {
    iat: 'Issued',
    id: 'Receipt number',
    sub: 'Account',
    node: 'Node',
    cid: 'CID',
    type: 'Type',
    size: 'Size',
    trace: 'Transfer',
    received: 'Received, as the reader signed',
    sent: 'Sent, as the node signed',
    signed: 'Signed traffic',
    earning: 'Signed traffic that may earn',
    hour: 'Hour from',
    trusted: 'Trusted node',
    passed: 'Audits passed',
    failed: 'Audits failed',
    audited: 'Last passed audit',
    held: 'Held',
    online: 'Online',
    crowd: 'Nodes at its address',
    paid_share: 'Paid share',
    order: 'Order',
    purpose: 'Purpose',
    wallet: 'Wallet',
    cause: 'Cause',
    from: 'From',
    to: 'Until',
    probes: 'Failed probes',
    amount: 'Amount',
    hours: 'Hours',
    tx: 'Transaction',
    day: 'Day (UTC)',
    traffic: 'For traffic',
    storage: 'For storage',
  },
  words: {
    file: 'file',
    folder: 'folder',
    yes: 'yes',
    no: 'no',
    create: 'new order',
    extend: 'extension',
    update: 'change of resources',
    renew: 'automatic renewal',
    faucet: 'faucet claim',
    redemption: 'redemption of points',
    cluster: 'the cluster did not answer',
    lost: 'the cluster had lost a program',
  },
  relations: {
    same_id: 'These are two different receipts with one number. The network signed both.',
    same_index: 'These are two different receipts at one place in the log. The network signed both.',
    forked_log: 'These contain two different logs of the same size. The network signed both.',
    repeated: 'These are the same receipt. It counts once.',
    replaced: 'These are about the same transfer. Only the later one counts.',
  },
  limits: [
    'That the statement is true. The network signs what it saw; only a download is signed by reader and node as well.',
    'Who the person behind an account, a node or a wallet is.',
    'That the content is still stored today.',
    'That the time is right: it is that of the server. Only an anchor in a block of the chain proves that the receipt existed by then.',
    'That the network shows everybody the same log. To find out, compare checkpoints with others, or look the anchor up on the chain.',
  ],
}
