/** Limits of the support chat. Times in ms. */

export const CHAT_TEXT_MAX = 4000
export const CHAT_NOTE_MAX = 4000
/** Messages of one customer, so that a script cannot flood the desk. */
export const CHAT_PER_MINUTE = 30
export const CHAT_PER_DAY = 1000
/** Conversations that visitors from one client network, or one account that deletes them, can begin within a day. */
export const CHAT_BEGINNINGS_PER_DAY = 50
/** Error code of an invalid visitor token: the client begins a new conversation with the same message. */
export const CHAT_VISITOR_INVALID = 1037
/** Open streams of one customer, of one agent, of one client network and of one server. */
export const CHAT_STREAMS_PER_CUSTOMER = 20
export const CHAT_STREAMS_PER_AGENT = 10
export const CHAT_STREAMS_PER_NETWORK = 200
export const CHAT_STREAMS = 5000
/** Of these, the most that accounts, visitors, and visitors who have written nothing yet can have; the rest is for the others. */
export const CHAT_STREAMS_OF_ACCOUNTS = 3500
export const CHAT_STREAMS_OF_VISITORS = 3500
export const CHAT_STREAMS_OF_NEWCOMERS = 2000
/** Streams that accounts and newcomers leave for visitors who have written. */
export const CHAT_STREAMS_KEPT = 1000
/** Messages that a stream sends first, and per page. */
export const CHAT_PAGE = 50
/** Answers are mailed if they were not read for this long. */
export const CHAT_MAIL_AFTER = 120_000
/** Mails about answers to one address that the customer only typed in, per day. */
export const CHAT_MAILS_PER_ADDRESS_DAY = 5
/** Conversations of visitors are deleted this long after their last message. */
export const CHAT_VISITOR_DAYS = 90
/** Open conversations of visitors are closed this long after their last message, so that the desk shows those who still wait. */
export const CHAT_IDLE_DAYS = 14
/** Conversations are counted up to this number; it means "this many or more". */
export const CHAT_COUNTED_MAX = 1000
/** Bytes of one attachment, encrypted. */
export const CHAT_ATTACHMENT_MAX = 10 * 1024 * 1024
/** Attachments of one customer, and of all visitors from one client network, per day. */
export const CHAT_ATTACHMENTS_PER_DAY = 20
export const CHAT_ATTACHMENTS_PER_NETWORK_DAY = 100
/** Bytes that one customer's attachments of a conversation can have together: the chat is no storage. */
export const CHAT_ATTACHMENTS_MAX = 250 * 1024 * 1024
/** How often each attachment can be read, and how often one customer can read any within a day. */
export const CHAT_ATTACHMENT_READS = 500
export const CHAT_READS_PER_DAY = 100
/** Attachments that one agent can open within a day. */
export const CHAT_DESK_READS_PER_DAY = 300
export const CHAT_CANNED_MAX = 200
export const CHAT_CANNED_NAME_MAX = 60
export const CHAT_RATING_MAX = 5

export const CHAT_FROM = ['user', 'agent'] as const
/** `closed`, `reopened`, `rated`: what happened to the conversation; `text` is empty, or the comment of a rating. */
export const CHAT_KINDS = ['text', 'closed', 'reopened', 'rated'] as const
export type ChatKind = (typeof CHAT_KINDS)[number]
export const CHAT_STATES = ['open', 'closed'] as const
/** Lists of the desk; `waiting`: open, and the customer has written last. */
export const CHAT_LISTS = ['waiting', 'mine', 'open', 'closed', 'all'] as const
