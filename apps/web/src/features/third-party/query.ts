import { query } from '../../lib/queries.ts'

/** More than any plan includes. */
const PAGE_SIZE = 50

/** The third-party replicas of a file of the account. */
export const thirdPartyReplicas = (cid: string) => query('thirdParty.list', { cid, page_size: PAGE_SIZE })
