/** Limits and durations, with the section of the specification or the decision they come from. Bytes and milliseconds unless named. */

export const MiB = 1024 * 1024
export const GiB = 1024 * MiB

/** Spec 9: the free plan has 100 MiB of storage and 1 GiB of download traffic per month. */
export const FREE_STORAGE = 100 * MiB
export const FREE_DOWNLOAD_TRAFFIC = 1 * GiB
/** Spec 9: maximum upload shown for the free plan; the actual limit is the remaining storage. */
export const FREE_FILE_MAX = 1 * GiB
/** Decisions 35: a VIP has 5 GiB of storage, 1000 GiB of download traffic per month and no limit on share downloads. */
export const VIP_STORAGE = 5 * GiB
export const VIP_DOWNLOAD_TRAFFIC = 1000 * GiB
/** Spec 5 and 9: anonymous files, at most 100 MiB. */
export const TEMP_FILE_MAX = 104_857_600
/** Decisions 56: 24 hours, 60 uploads of the same content, 20 downloads, at most three areas. */
export const TEMP_FILE_LIFE = 24 * 3600 * 1000
export const TEMP_FILE_SHARES = 60
export const TEMP_FILE_DOWNLOADS = 20
/** Previews of an anonymous file are limited too: they return the same URLs as downloads. */
export const TEMP_FILE_PREVIEWS = 200
export const TEMP_FILE_AREAS = 3
/** Spec 9: target number of replicas of a file; fewer if there are fewer eligible nodes. */
export const REPLICA_TARGET = 50
/**
 * Delivery acceleration: copies of a content near readers, in addition to the others, in each of at most so many countries; files and folders
 * that an account can accelerate; days that the extra copies stay after the plan has ended.
 */
export const NEAR_COPIES = 2
export const NEAR_AREAS_MAX = 5
export const ACCELERATIONS_MAX = 1000
export const ACCELERATION_GRACE_DAYS = 7
/** Measured downloads that a time is based on, at least; days that measurements are kept and shown. */
export const ACCELERATION_SAMPLES_MIN = 5
export const ACCELERATION_DAYS = 60
/** Decisions 54: free files are kept 549 days (18 months). */
export const FREE_STORAGE_DAYS = 549
/** So long before their end, files are announced, listed and can be extended. */
export const FILES_END_DAYS = 30
/** Decisions 50: deleted items stay in the trash for 30 days. */
export const TRASH_LIFE = 30 * 24 * 3600 * 1000
/** Earlier versions that are kept per file, and for how long. */
export const VERSION_LIMITS = { free: { versions: 5, days: 30 }, paid: { versions: 100, days: 365 } } as const
/** A deleted version can be brought back within this time. */
export const VERSION_UNDO = 24 * 3600 * 1000
/** Spec 9: share downloads of one file, unless the owner is a VIP. */
export const SHARE_DOWNLOADS = 10
/** Short links of an account, revoked ones of the last 30 days included. */
export const SHORT_LINKS_MAX = 10_000
/** Files that one upload link can receive. */
export const UPLOAD_LINK_FILES_MAX = 10_000
/** E-mail addresses that a short link can be limited to. */
export const LINK_EMAILS_MAX = 50
/** How long a visitor who proved an address need not prove it again, in ms. */
export const LINK_PROOF_LIFE = 12 * 3600 * 1000
/** Decisions 39: repeated downloads by the same visitor within this time count once. */
export const SHARE_DOWNLOAD_WINDOW = 24 * 3600 * 1000
/** Spec 9: a link that expires at or after this unix second is permanent. */
export const SHARE_PERMANENT = 4_101_509_461
/** Spec 5: a short password is exactly six letters or digits. */
export const SHORT_PASS = /^[A-Za-z0-9]{6}$/
/** Spec 5: names of API keys and folders, in characters. */
export const NAME_MAX = 50
/** Names of files, and of folders that were uploaded, in characters: file systems allow 255 bytes. */
export const ASSET_NAME_MAX = 255
/** Folders of an account. An uploaded folder keeps its subfolders, so a free account needs more than the 20 of the predecessor. */
export const FREE_FOLDERS = 1000
export const FREE_API_KEYS = 5
export const VIP_FOLDERS = 10_000
export const VIP_API_KEYS = 100
/** IP addresses and ranges of an API key. */
export const KEY_IPS_MAX = 50
/** Folders that an API key can be limited to. */
export const KEY_FOLDERS_MAX = 20
/** How long a replaced key works at most, in hours. */
export const KEY_OVERLAP_MAX = 168
/** Replaced versions of one key that still work. */
export const FORMER_KEYS_MAX = 5
/** How long a token of an S3 access key works, in ms. */
export const S3_TOKEN_LIFE = 15 * 60_000
/** How far the clock of a gateway may be from the server's when it asks for a token, in ms. */
export const S3_SESSION_SKEW = 60_000
/** How long a presigned S3 request can be valid, in ms. */
export const S3_PRESIGNED_LIFE = 7 * 86_400_000
/** The most files of one call of a folder upload, and the most folders. */
export const UPLOAD_BATCH_MAX = 100
export const FOLDER_BATCH_MAX = 1000
/** Bytes of the small files that a node takes in one request. */
export const UPLOAD_BUNDLE_MAX = 8 * MiB
/** Bytes of parts that a node joins at most: the answer names all leaves. */
export const JOIN_MAX = 16 * GiB
/** Bytes of the path of an uploaded folder, below the folder it is created in. */
export const FOLDER_PATH_MAX = 4096
/** Spec 9: page sizes in the portal; the maximum that a client can request. */
export const PAGE_SIZES = [10, 20, 25, 50, 100] as const
export const PAGE_SIZE = 10
export const PAGE_SIZE_MAX = 100
/** Spec 9: statistic ranges in days. */
export const STATISTIC_DAYS = [1, 7, 30, 60, 90] as const

/** Spec 5: passwords. */
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 12
/** Decisions 32: codes are valid for 5 minutes and 5 attempts; one per 60 s, ten per day and client network. */
export const CODE_LIFE = 5 * 60 * 1000
export const CODE_RESEND = 60 * 1000
export const CODE_ATTEMPTS = 5
export const CODES_PER_NETWORK_DAY = 10
/** Codes per day for one e-mail address, requested from all client networks together. */
export const CODES_PER_ADDRESS_DAY = 50
/** Wrong passwords from one client network, for all accounts together. */
export const WRONG_PASSWORDS_PER_NETWORK_HOUR = 50
/** Wire 1.3: a session token is valid for 24 h, is rotated when less than 12 h are left, and for at most 7 days after the sign-in. */
export const SESSION_LIFE = 24 * 3600 * 1000
export const SESSION_ROTATE_BELOW = 12 * 3600 * 1000
export const SESSION_CHAIN = 7 * 24 * 3600 * 1000

/** A second-factor token is valid for 5 minutes and 5 attempts; a passkey challenge for 5 minutes. */
export const SECOND_FACTOR_LIFE = 5 * 60 * 1000
export const SECOND_FACTOR_ATTEMPTS = 5
/** Changes of sign-in methods need an authentication that is not older. */
export const RECENT_AUTH_LIFE = 10 * 60 * 1000
export const RECOVERY_CODES = 10
export const PASSKEYS_MAX = 20
/** How long a key signs sessions before it is replaced. */
export const SESSION_KEY_LIFE = 30 * 24 * 3600 * 1000

/** After a change of the e-mail address, its old address can undo the change and is not available to others for this long. */
export const EMAIL_UNDO_LIFE = 7 * 24 * 3600 * 1000

/** An account is deleted this long after its owner asked for it; until then they can undo it. */
export const CLOSING_LIFE = 7 * 24 * 3600 * 1000

/** Wire 3.2: a sign-in message for a wallet is valid for 5 minutes. */
export const SIGN_IN_MESSAGE_LIFE = 5 * 60 * 1000
/** Decisions 24: after unlinking, neither the wallet nor the account can be linked to another one for this long. */
export const WALLET_COOLDOWN = 24 * 3600 * 1000

/** Time limit of an external sign-in; its handover code is valid for 2 minutes. */
export const EXTERNAL_SIGN_IN_LIFE = 10 * 60 * 1000
export const HANDOVER_CODE_LIFE = 2 * 60 * 1000

/** Spec 9, archive packaging. */
export const CHUNK_SIZE = 262_144
/** Bytes that a reader must sign for a receipt of a download from one node, and again for each further receipt of it. */
export const DOWNLOAD_RECEIPT_MIN = 256 * 1024
/** Receipts of uploads that an account gets on one day (UTC). */
export const UPLOAD_RECEIPTS_PER_DAY = { free: 1000, vip: 20_000 } as const
export const LINKS_PER_NODE = 174
export const DIRECTORY_SHARD_ABOVE = 1000
export const BLOCK_MAX = 1_048_576
/** Wire 11.1: largest file that a node accepts. */
export const NODE_FILE_MAX = 100 * GiB

/** The id of an area: `Continent-Country-Province-City`. */
export const AREA_ID = /^[A-Za-z]+(-[A-Za-z]+){3}$/

/** The area of nodes that may be anywhere, and what a node declares that leaves its area to its address. */
export const UNKNOWN_AREA = 'Unknown-Unknown-Unknown-Unknown'

/** Decisions 67: nodes. */
export const HEARTBEAT = 30_000
export const HEARTBEATS_MISSED = 3
export const AUDIT_WINDOW = 10
export const AUDIT_FAILURES = 2
export const AUDIT_CLEAN = 2
/**
 * Decision 22: an edge is vetted after `VETTING_AUDITS` passed audits in `VETTING_PERIODS` different periods of `VETTING_PERIOD`, and not
 * before `VETTING_TIME`. A device that is off at night needs no longer than others. Until then it holds at most `TRIAL_BYTES`.
 */
export const VETTING_AUDITS = 100
export const VETTING_PERIODS = 8
export const VETTING_PERIOD = 6 * 3600 * 1000
export const VETTING_TIME = 3 * 24 * 3600 * 1000
export const TRIAL_BYTES = 10 * GiB
/** Trial copies on all new edges of one network, and of one owner. */
export const TRIAL_GROUP_BYTES = 20 * GiB
/** New edges per network (IPv4 /24, IPv6 /48) in 24 hours. */
export const EDGES_PER_NETWORK_DAY = 20
export const CLOCK_SKEW_MAX = 5 * 60 * 1000

/** Lifetimes of node tokens. */
export const UPLOAD_TOKEN_LIFE = 24 * 3600 * 1000
export const DOWNLOAD_TOKEN_LIFE = 3600 * 1000
/** As long as an audit may take. */
/** How long a node may be reached through a relay with one ticket, in ms. */
export const RELAY_TICKET_LIFE = 3_600_000
/** Statements of devices that a relay reports in one call. */
export const RELAYED_REPORTED_MAX = 500
/** Certificates that a node gets in 24 hours. */
export const CERTIFICATES_PER_DAY = 3
export const VIA_TOKEN_LIFE = 90 * 1000
/** The most bytes of an audit through another node. */
export const VIA_BYTES_MAX = 16 * MiB
export const SHARE_TOKEN_LIFE = 3600 * 1000

/** Spec 9, SDK. */
export const MD5_SLICE = 20 * MiB
export const UPLOAD_RETRIES = 3
export const UPLOAD_BACKOFF = 1000
export const UPLOAD_TIMEOUT_PER_MB = 10_000
export const UPLOAD_TIMEOUT_MIN = 30_000
/** The shortest timeout of a transfer of this size, in ms: no timeout requires a faster link. */
export const transferTimeout = (bytes: number): number =>
  Math.max(UPLOAD_TIMEOUT_MIN, Math.ceil((bytes / 1_000_000) * UPLOAD_TIMEOUT_PER_MB))
/**
 * The minimum average rate of an upload in bytes per second: an eighth of a 64 kbit/s link, so that a slow link with several transfers is
 * allowed. Slower ones lose their connection and their reservation of quota.
 */
export const UPLOAD_RATE_MIN = 1024
/** How long the SDK asks for the download URL after an upload. */
export const UPLOAD_URL_WAIT = 2000
export const DOWNLOAD_CHUNK_MAX = 10 * MiB
export const DOWNLOAD_RANGE = 1 * MiB
export const DOWNLOAD_CONCURRENCY = 10
export const DOWNLOAD_CONCURRENCY_MIN = 1
export const DOWNLOAD_CONCURRENCY_MAX = 20
/** Concurrent requests for the first blocks of a folder's entries. */
export const FOLDER_CONCURRENCY = 3
export const DOWNLOAD_STALL_TIMEOUT = 5000
export const AVAILABILITY_TIMEOUT = 1000
export const FIRST_BYTE_TIMEOUT = 2500
export const DOWNLOAD_ATTEMPTS_PER_URL = 3
/** Clients sign what they received from a node after each this many bytes, and at the end. */
export const RECEIVED_STEP = 16 * MiB

/** Spec 9: visible characters of a masked wallet address. */
export const WALLET_MASK = { head: 4, tail: 1 } as const

/** Spec 9: fee and gas limit of chain transactions, gas prices in wallets, and decimals of the fee coin. */
export const CHAIN_FEE = { amount: '500', gas: '990000' } as const
export const GAS_PRICES = { low: 0.005, average: 0.025, high: 0.03 } as const
export const FEE_COIN_DECIMALS = 6

/** Characters of a message to support. */
export const SUPPORT_TEXT_MAX = 2000

/** `err` of a receipt that is being written: the one error after which clients repeat the call on their own. */
export const RECEIPT_PENDING = 1036
